import { toChoices } from '#app/lib/fields.ts'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import type { PurchaseListState } from '../list-state.ts'
import { purchaseFields } from '../fields.ts'
import { formatMonth } from '../format.ts'

export function PurchaseFilters({ state, months }: { state: PurchaseListState; months: string[] }) {
  return (
    <FilterForm
      action="/purchases"
      values={{ q: state.q, month: state.month ?? '', status: state.status ?? '' }}
      className="mb-5 flex flex-wrap gap-3"
    >
      <SearchField
        label="Search purchases"
        placeholder="Search by client, product or notes"
        value={state.q}
        className="basis-full sm:max-w-80 sm:flex-1 sm:basis-64"
      />
      <div className="min-w-0 flex-1 sm:max-w-48">
        <select aria-label="Month" name="month" defaultValue={state.month ?? ''} className="input select input-quiet">
          <option value="">All months</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {formatMonth(month)}
            </option>
          ))}
        </select>
      </div>
      <div className="min-w-0 flex-1 sm:max-w-44">
        <select
          aria-label="Status"
          name="status"
          defaultValue={state.status ?? ''}
          className="input select input-quiet"
        >
          <option value="">All statuses</option>
          {toChoices(purchaseFields.status.choices).map(({ value, label }) => (
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
