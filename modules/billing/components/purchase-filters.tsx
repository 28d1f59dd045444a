import { Search } from 'lucide-react'
import { FilterForm } from '#app/ui/filter-form.tsx'
import type { ListState } from '../list-state.ts'
import { monthWords, statusChoices } from '../words.ts'

/** Which purchases are listed; before scripts there is a button. */
export function PurchaseFilters({ state, months }: { state: ListState; months: string[] }) {
  return (
    <FilterForm action="/purchases" values={{ q: state.q, month: state.month ?? '', status: state.status ?? '' }} className="mb-5 flex flex-wrap gap-3">
      <label className="has-icon block min-w-0 basis-full sm:max-w-80 sm:flex-1 sm:basis-64">
        <span className="sr-only">Search purchases</span>
        <Search className="i" />
        <input
          type="search"
          name="q"
          defaultValue={state.q}
          maxLength={255}
          autoComplete="off"
          className="input input-quiet"
          placeholder="Search by client, product or notes"
        />
      </label>
      <div className="min-w-0 flex-1 sm:max-w-48">
        <select aria-label="Month" name="month" defaultValue={state.month ?? ''} className="input select input-quiet">
          <option value="">All months</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {monthWords(month)}
            </option>
          ))}
        </select>
      </div>
      <div className="min-w-0 flex-1 sm:max-w-44">
        <select aria-label="Status" name="status" defaultValue={state.status ?? ''} className="input select input-quiet">
          <option value="">All statuses</option>
          {statusChoices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Show
        </button>
      </noscript>
    </FilterForm>
  )
}
