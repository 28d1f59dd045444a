import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { listAddress, type ListState } from '../list-state.ts'

/** How much of the plan is used, where it has a limit. */
export function PlanFact({ clients, limit }: { clients: number; limit: number | null }) {
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

/** Searches while one types; the order and the view stay. */
export function ClientSearch({ state }: { state: ListState }) {
  return (
    <FilterForm action="/clients" values={{ q: state.q }} className="min-w-0 flex-1 sm:max-w-80">
      {[...new URL(listAddress(state, { q: '', page: 1 }), 'http://list').searchParams].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchField label="Search clients" placeholder="Search by name or email" value={state.q} />
    </FilterForm>
  )
}

const choices = [
  { label: 'Newest', sort: 'joined', down: true },
  { label: 'Oldest', sort: 'joined', down: false },
  { label: 'Name', sort: 'name', down: false },
  { label: 'Status', sort: 'status', down: false },
  { label: 'Progress', sort: 'progress', down: true },
] as const

/** Cards have no headings to press, and neither has the list of a narrow window. */
export function SortChoice({ state }: { state: ListState }) {
  return (
    <nav
      aria-label="Sort by"
      className={`mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm ${state.view === 'list' ? 'xl:hidden' : ''}`}
    >
      <span className="text-ink-3">Sort by</span>
      {choices.map(({ label, sort, down }) => {
        const current = state.sort === sort && state.down === down
        return (
          <Link
            key={label}
            to={listAddress(state, { sort, down, page: 1 })}
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
