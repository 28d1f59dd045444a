import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { clientsUrl, type ListState, type Sort } from '../list-state.ts'

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
    <FilterForm action="/clients" values={{ q: state.q }} className="min-w-0 flex-1 sm:max-w-80">
      {[...new URL(clientsUrl.href(state, { q: '', page: 1 }), 'http://list').searchParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchField label="Search clients" placeholder="Search by name or email" value={state.q} />
    </FilterForm>
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
