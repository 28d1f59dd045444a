import { Schema, type Mark as EditorMark, type MarkSpec, type Node } from 'prosemirror-model'
import { markNames, type MarkupDocument, type Line, type Mark, type Run } from '#app/lib/markup.ts'
import { isHighlighter } from './paste.ts'

const marks: Record<Mark, MarkSpec> = {
  bold: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps everything it copies in a <b> that isn't bold.
      { tag: 'b', getAttrs: (element) => (/^(normal|[1-5]00)$/.test(element.style.fontWeight) ? false : null) },
      { style: 'font-weight', getAttrs: (value) => (/^(bold(er)?|[6-9]\d\d)$/.test(value) ? null : false) },
      {
        style: 'font-weight',
        getAttrs: (value) => (/^(normal|[1-5]00)$/.test(value) ? null : false),
        clearMark: (mark) => mark.type.name === 'bold',
      },
    ],
    toDOM: () => ['strong', 0],
  },
  italic: {
    parseDOM: [
      { tag: 'em' },
      { tag: 'i' },
      { style: 'font-style=italic' },
      { style: 'font-style=normal', clearMark: (mark) => mark.type.name === 'italic' },
    ],
    toDOM: () => ['em', 0],
  },
  underline: {
    parseDOM: [
      { tag: 'u' },
      { style: 'text-decoration', getAttrs: (value) => (value.includes('underline') ? null : false) },
      { style: 'text-decoration-line', getAttrs: (value) => (value.includes('underline') ? null : false) },
    ],
    toDOM: () => ['u', 0],
  },
  highlight: {
    parseDOM: [
      { tag: 'mark' },
      { style: 'background-color', getAttrs: (value) => (isHighlighter(value) ? null : false) },
      { style: 'background', getAttrs: (value) => (isHighlighter(value) ? null : false) },
    ],
    toDOM: () => ['mark', 0],
  },
}

/** Allows exactly what the stored markup supports. Pasted content loses everything else. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'text*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      group: 'block',
      content: 'text*',
      attrs: { level: { default: 1 } },
      defining: true,
      parseDOM: [
        ...[1, 2, 3].map((level) => ({ tag: `.heading-${level}`, attrs: { level } })),
        ...[1, 2, 3].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      ],
      // Pages use h1 and cards h2.
      toDOM: ({ attrs: { level } }) => [`h${level + 2}`, { class: `heading-${level}` }, 0],
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      parseDOM: [{ tag: 'ul' }, { tag: 'ol' }],
      toDOM: () => ['ul', 0],
    },
    list_item: { content: 'paragraph', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    text: {},
  },
  marks,
})

/** Converts a stored document to the editor's. Adjacent list items become one list. */
export function toEditor(document: MarkupDocument): Node {
  const blocks: Node[] = []
  for (const line of document) {
    const block = toBlock(line)
    const last = blocks.at(-1)
    if (line.kind === 'bullet' && last?.type === schema.nodes.bullet_list)
      blocks[blocks.length - 1] = last.copy(last.content.addToEnd(block.child(0)))
    else blocks.push(block)
  }
  return schema.nodes.doc!.create(null, blocks)
}

function toBlock({ kind, runs }: Line): Node {
  const { paragraph, heading, bullet_list: list, list_item: item } = schema.nodes
  const text = runs.map((run) =>
    schema.text(
      run.text,
      run.marks.map((name) => schema.marks[name]!.create()),
    ),
  )
  if (kind === 'paragraph') return paragraph!.create(null, text)
  if (kind === 'bullet') return list!.create(null, item!.create(null, paragraph!.create(null, text)))
  return heading!.create({ level: Number(kind.at(-1)) }, text)
}

/** Converts the editor's document to a stored one. */
export function fromEditor(doc: Node): MarkupDocument {
  const lines: Line[] = []
  doc.forEach((block) => {
    if (block.type === schema.nodes.bullet_list)
      block.forEach((item) => lines.push({ kind: 'bullet', runs: toRuns(item.child(0)) }))
    else if (block.type === schema.nodes.heading)
      lines.push({ kind: `heading${block.attrs.level as 1 | 2 | 3}`, runs: toRuns(block) })
    else lines.push({ kind: 'paragraph', runs: toRuns(block) })
  })
  return lines
}

const controlCharacters = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

function toRuns(block: Node): Run[] {
  const runs: Run[] = []
  block.forEach((node) => {
    const nodeMarks = node.marks.map((mark: EditorMark) => mark.type.name)
    // A stored line feed would start a new line, and other control characters are rejected.
    runs.push({
      text: (node.text ?? '').replaceAll(controlCharacters, ' '),
      marks: markNames.filter((name) => nodeMarks.includes(name)),
    })
  })
  return runs
}
