import { useId } from 'react'
import { formatMonth } from '../format.ts'

/** One bar for each month. A table on the same page has the same numbers for screen readers. */
export function MonthBars({
  title,
  months,
  format,
}: {
  title: string
  months: { month: string; value: number }[]
  format: (value: number) => string
}) {
  const id = useId()
  const most = Math.max(1, ...months.map(({ value }) => value))
  const width = 100 / months.length
  return (
    <figure aria-labelledby={id} className="card p-5">
      <figcaption id={id} className="flex items-baseline justify-between gap-4">
        <span className="font-semibold">{title}</span>
        <span className="num text-sm text-ink-3">
          at most {format(Math.max(0, ...months.map(({ value }) => value)))}
        </span>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        className="mt-4 h-40 w-full border-b border-line text-[var(--brand-edge)]"
      >
        {months.map(({ month, value }, index) => (
          <rect
            key={month}
            x={(index + 0.15) * width}
            width={0.7 * width}
            y={40 - (40 * value) / most}
            height={(40 * value) / most}
            fill="currentColor"
          >
            <title>{`${formatMonth(month)}: ${format(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p aria-hidden="true" className="num mt-2 flex justify-between text-sm text-ink-3">
        <span>{formatMonth(months[0]!.month)}</span>
        <span>{formatMonth(months.at(-1)!.month)}</span>
      </p>
    </figure>
  )
}
