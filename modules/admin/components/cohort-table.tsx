import { formatMonth, formatShare } from '../format.ts'
import type { Cohort } from '../queries/analytics.ts'

const label = 'Retention by month of sign-up'

/** A row for each month of sign-ups, a column for each month since then. */
export function CohortTable({ cohorts }: { cohorts: Cohort[] }) {
  return (
    <>
      <ul aria-label={label} className="rows border-y border-line-soft md:hidden">
        {cohorts.map(({ month, size, active }) => (
          <li key={month} className="px-4 py-3">
            <p className="flex justify-between gap-3">
              <span className="font-semibold">{formatMonth(month)}</span>
              <span className="num">{size} coaches</span>
            </p>
            {size > 0 && (
              <p className="num text-sm text-ink-3">{active.map((count) => formatShare(count, size)).join(' · ')}</p>
            )}
          </li>
        ))}
      </ul>
      <WideCohortTable cohorts={cohorts} />
    </>
  )
}

function WideCohortTable({ cohorts }: { cohorts: Cohort[] }) {
  return (
    // Scrolls by keyboard, too.
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="hidden overflow-x-auto rounded-lg border border-line md:block"
    >
      <table className="table">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Signed up</th>
            <th scope="col" className="r">
              Coaches
            </th>
            {cohorts.map((_, age) => (
              <th key={age} scope="col" className="r num">
                {age === 0 ? 'Same month' : `+${age}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ month, size, active }) => (
            <tr key={month}>
              <th scope="row" className="whitespace-nowrap font-normal">
                {formatMonth(month)}
              </th>
              <td className="r num">{size}</td>
              {cohorts.map((_, age) => (
                <td key={age} className="r num">
                  {age < active.length && size > 0 ? formatShare(active[age]!, size) : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
