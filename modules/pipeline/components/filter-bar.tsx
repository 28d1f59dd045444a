import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { isFiltered, type BoardFilters } from '../board-state.ts'

/** Applies filters while typing; without JavaScript it has a button. */
export function FilterBar({ filters, sources }: { filters: BoardFilters; sources: string[] }) {
  const { q, source, likely, followup } = filters
  return (
    <FilterForm
      action="/pipeline"
      values={{ q, source, likely: likely ?? '', followup: followup ?? '' }}
      className="mb-4 flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-[minmax(0,7fr)_minmax(0,6fr)]"
    >
      <SearchField
        label="Search prospects"
        placeholder="Search prospects"
        value={q}
        className="flex-1 basis-48 sm:max-w-72"
      />
      <select
        name="likely"
        aria-label="Probability"
        defaultValue={likely ?? ''}
        className="input select input-quiet sm:!w-auto"
      >
        <option value="">Any probability</option>
        <option value="75">75% and more</option>
        <option value="50">50% and more</option>
        <option value="25">25% and more</option>
      </select>
      <select
        name="followup"
        aria-label="Follow-up"
        defaultValue={followup ?? ''}
        className="input select input-quiet sm:!w-auto"
      >
        <option value="">Any follow-up</option>
        <option value="overdue">Overdue</option>
        <option value="today">Today</option>
        <option value="week">Next 7 days</option>
        <option value="none">None planned</option>
      </select>
      {(sources.length > 0 || source) && (
        <select
          name="source"
          aria-label="Source"
          defaultValue={source}
          className="input select input-quiet sm:!w-auto sm:max-w-48"
        >
          <option value="">Any source</option>
          {[...new Set([...sources, ...(source ? [source] : [])])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Filter
        </button>
      </noscript>
      {isFiltered(filters) && (
        <Link to="/pipeline" className="link text-sm" preventScrollReset>
          Clear filters
        </Link>
      )}
    </FilterForm>
  )
}
