import { ListFilter, X } from 'lucide-react'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import type { ActiveFilter } from '../filters-loader.server.ts'
import { clientsUrl, countFilters, type ListState, type Sort } from '../list-state.ts'

/** Shown only for plans with a limit. */
export function PlanUsage({ clients, limit }: { clients: number; limit: number | null }) {
  if (limit === null) return null
  return (
    <span className="num text-sm text-ink-3 max-sm:hidden">
      {clients} of {limit} on your plan
      {clients >= limit && (
        <>
          {' · '}
          <Link to="/upgrade" className="link">
            Upgrade
          </Link>
        </>
      )}
    </span>
  )
}

/** Searches while typing and keeps the order and the view. */
export function ClientSearch({ state }: { state: ListState }) {
  return (
    <FilterForm action="/clients" values={{ q: state.q }} className="min-w-0 flex-1 max-sm:basis-full sm:max-w-80">
      {[...new URL(clientsUrl.href(state, { q: '', page: 1 }), 'http://list').searchParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchField label="Search clients" placeholder="Search by name or email" value={state.q} />
    </FilterForm>
  )
}

/** The filters in use, each with a link that removes it. */
export function ActiveFilters({ state, filters }: { state: ListState; filters: ActiveFilter[] }) {
  if (!filters.length) return null
  return (
    <ul aria-label="Filters in use" className="mb-3 flex flex-wrap items-center gap-2">
      {filters.map(({ label, without }) => (
        <li key={label} className="max-w-full">
          <Link
            to={clientsUrl.href(state, { ...without, page: 1 })}
            preventScrollReset
            aria-label={`Remove the filter “${label}”`}
            className="btn btn-secondary btn-sm max-w-full"
          >
            <span className="truncate">{label}</span>
            <X className="i" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Opens the filters and the saved views. */
export function FiltersLink({ state }: { state: ListState }) {
  const count = countFilters(state)
  return (
    <Link to={clientsUrl.href(state, { dialog: 'filters' })} preventScrollReset className="btn btn-secondary">
      <ListFilter className="i" />
      Filters{count > 0 && ` (${count})`}
    </Link>
  )
}

const sortOptions: { label: string; sort: Sort }[] = [
  { label: 'Newest', sort: '-joined' },
  { label: 'Oldest', sort: 'joined' },
  { label: 'Name', sort: 'name' },
  { label: 'Status', sort: 'status' },
  { label: 'Progress', sort: '-progress' },
]

/** For cards and narrow screens, which have no sortable headers. */
export function SortLinks({ state }: { state: ListState }) {
  return (
    <nav
      aria-label="Sort by"
      className={`mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm ${state.view === 'list' ? 'xl:hidden' : ''}`}
    >
      <span className="text-ink-3">Sort by</span>
      {sortOptions.map(({ label, sort }) => {
        const current = state.sort === sort
        return (
          <Link
            key={label}
            to={clientsUrl.href(state, { sort, page: 1 })}
            replace
            preventScrollReset
            aria-current={current ? 'true' : undefined}
            className={`hit rounded-sm ${current ? 'font-semibold text-ink' : 'text-ink-2 hover:text-ink'}`}
          >
            {label}
          </Link>
        )
      })}
    </nav>
  )
}
