import { Fragment, type ReactNode } from 'react'
import { parseMarkup, type MarkupDocument, type Line, type Mark, type Run } from '#app/lib/markup.ts'

/** Renders stored rich text. The text is never parsed as HTML. */
export function RichText({ source, className = '' }: { source: string; className?: string }) {
  const groups = groupLines(parseMarkup(source))
  const levels = headingLevels(groups)
  return (
    <div className={`prose ${className}`}>
      {groups.map((lines, index) =>
        lines[0]!.kind === 'bullet' ? (
          <ul key={index}>
            {lines.map((line, item) => (
              <li key={item}>
                <Runs runs={line.runs} />
              </li>
            ))}
          </ul>
        ) : (
          <Block key={index} line={lines[0]!} level={levels[index]!} />
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

/**
 * The heading level of each group. Pages use h1 and cards h2, so texts start with h3. A level is never skipped,
 * whatever sizes the text uses.
 */
function headingLevels(groups: Line[][]): number[] {
  let last = 2
  return groups.map(([line]) => {
    const size = headingSize(line!)
    if (size) last = Math.min(size + 2, last + 1)
    return last
  })
}

const headingSize = ({ kind }: Line): number => (kind.startsWith('heading') ? Number(kind.at(-1)) : 0)

function Block({ line, level }: { line: Line; level: number }) {
  const size = headingSize(line)
  const Tag = size ? (`h${level}` as 'h3') : 'p'
  return (
    <Tag className={size ? `heading-${size}` : undefined}>{line.runs.length ? <Runs runs={line.runs} /> : <br />}</Tag>
  )
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
