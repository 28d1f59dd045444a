import { Fragment, type ReactNode } from 'react'
import { parseMarkup, type Document, type Line, type Mark, type Run } from '#app/lib/markup.ts'

/** Stored rich text as it reads. Nothing in it becomes HTML: every element is made here. */
export function RichText({ source, className = '' }: { source: string; className?: string }) {
  return (
    <div className={`prose ${className}`}>
      {grouped(parseMarkup(source)).map((lines, at) =>
        lines[0]!.kind === 'bullet' ? (
          <ul key={at}>
            {lines.map((line, item) => (
              <li key={item}>
                <Runs runs={line.runs} />
              </li>
            ))}
          </ul>
        ) : (
          <Block key={at} line={lines[0]!} />
        ),
      )}
    </div>
  )
}

/** List items in a row belong together; every other line stands alone. */
function grouped(document: Document): Line[][] {
  const groups: Line[][] = []
  for (const line of document) {
    const last = groups.at(-1)
    if (line.kind === 'bullet' && last?.[0]?.kind === 'bullet') last.push(line)
    else groups.push([line])
  }
  return groups
}

// A page has one h1 and its cards have h2s: headings inside a text come below them.
const tags = { paragraph: 'p', bullet: 'p', heading1: 'h3', heading2: 'h4', heading3: 'h5' } as const

function Block({ line }: { line: Line }) {
  const Tag = tags[line.kind]
  return <Tag>{line.runs.length ? <Runs runs={line.runs} /> : <br />}</Tag>
}

function Runs({ runs }: { runs: Run[] }) {
  return runs.map((run, at) => <Fragment key={at}>{marked(run)}</Fragment>)
}

const wrap: Record<Mark, (inner: ReactNode) => ReactNode> = {
  bold: (inner) => <strong>{inner}</strong>,
  italic: (inner) => <em>{inner}</em>,
  underline: (inner) => <u>{inner}</u>,
  highlight: (inner) => <mark>{inner}</mark>,
}

function marked({ text, marks }: Run): ReactNode {
  return marks.reduceRight<ReactNode>((inner, mark) => wrap[mark](inner), text)
}
