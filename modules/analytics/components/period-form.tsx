import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import type { DatesState } from '../list-state.ts'
import { periodNames } from '../periods.ts'

/** Chooses the period. `dates`: what it is now, for custom dates. */
export function PeriodForm({ state, dates }: { state: DatesState; dates: { from: string; to: string } }) {
  const isCustom = state.period === 'custom'
  return (
    <FilterForm
      action="/analytics"
      values={{ period: state.period, ...(isCustom ? dates : {}) }}
      className="mb-6 flex flex-wrap items-end gap-3"
    >
      <div className="min-w-0 flex-1 sm:max-w-52">
        <select aria-label="Period" name="period" defaultValue={state.period} className="input select">
          {Object.entries(periodNames).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {isCustom && (
        <>
          <input type="date" name="from" aria-label="First day" defaultValue={dates.from} className="input w-auto" />
          <input type="date" name="to" aria-label="Last day" defaultValue={dates.to} className="input w-auto" />
        </>
      )}
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Show
        </button>
      </noscript>
    </FilterForm>
  )
}
