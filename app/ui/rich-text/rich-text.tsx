import { Fragment, type ReactNode } from 'react'
import { parseMarkup, type MarkupDocument, type Line, type Mark, type Run } from '#app/lib/markup.ts'

/** Renders stored rich text. The text is never parsed as HTML. */
export function RichText({ source, className = '' }: { source: string; className?: string }) {
  const document = parseMarkup(source)
  const levels = headingKinds.filter((kind) => document.some((line) => line.kind === kind))
  return (
    <div className={`prose ${className}`}>
      {groupLines(document).map((lines, index) =>
        lines[0]!.kind === 'bullet' ? (
          <ul key={index}>
            {lines.map((line, item) => (
              <li key={item}>
                <Runs runs={line.runs} />
              </li>
            ))}
          </ul>
        ) : (
          <Block key={index} line={lines[0]!} level={levels.indexOf(lines[0]!.kind)} />
        ),
      )}
    </div>
  )
}

/** Groups adjacent list items; every other line is a group of its own. */
function groupLines(document: MarkupDocument): Line[][] {
  const groups: Line[][] = []
  for (const line of document) {
    const last = groups.at(-1)
    if (line.kind === 'bullet' && last?.[0]?.kind === 'bullet') last.push(line)
    else groups.push([line])
  }
  return groups
}

const headingKinds: Line['kind'][] = ['heading1', 'heading2', 'heading3']
// Pages use h1 and cards h2. Levels that the text doesn't use are skipped, so that there is no gap below h2.
const headingTags = ['h3', 'h4', 'h5'] as const

function Block({ line, level }: { line: Line; level: number }) {
  const Tag = headingTags[level] ?? 'p'
  return <Tag>{line.runs.length ? <Runs runs={line.runs} /> : <br />}</Tag>
}

function Runs({ runs }: { runs: Run[] }) {
  return runs.map((run, index) => <Fragment key={index}>{renderRun(run)}</Fragment>)
}

const wrap: Record<Mark, (inner: ReactNode) => ReactNode> = {
  bold: (inner) => <strong>{inner}</strong>,
  italic: (inner) => <em>{inner}</em>,
  underline: (inner) => <u>{inner}</u>,
  highlight: (inner) => <mark>{inner}</mark>,
}

function renderRun({ text, marks }: Run): ReactNode {
  return marks.reduceRight<ReactNode>((inner, mark) => wrap[mark](inner), text)
}
