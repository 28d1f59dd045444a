import { Plus, Upload } from 'lucide-react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { clientsUrl, countFilters, withoutFilters, type ListState } from '../list-state.ts'

export function ClientsEmptyState({ state }: { state: ListState }) {
  const { q } = state
  if (countFilters(state)) {
    return (
      <div className="card">
        <EmptyState
          title="No clients found"
          illustration={<ChairsIllustration />}
          action={<ButtonLink to={clientsUrl.href(state, { ...withoutFilters, q: '' })}>Clear filters</ButtonLink>}
        >
          No clients match these filters.
        </EmptyState>
      </div>
    )
  }
  if (q) {
    return (
      <div className="card">
        <EmptyState
          title="No clients found"
          illustration={<ChairsIllustration />}
          action={<ButtonLink to={clientsUrl.href(state, { q: '', page: 1 })}>Clear search</ButtonLink>}
        >
          No clients match “{q}”. Try a shorter search
          {state.show === 'current' ? ' or look in the archive' : ' or look outside the archive'}.
        </EmptyState>
      </div>
    )
  }
  if (state.show !== 'current') {
    return (
      <div className="card">
        <EmptyState title="The archive is empty" action={<ButtonLink to="/clients">Back to clients</ButtonLink>}>
          Choose Archive on a client’s page to move them here.
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="card">
      <EmptyState
        title="No clients found"
        illustration={<ChairsIllustration />}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink to="/clients?dialog=add" icon={Plus} variant="primary">
              Add Client
            </ButtonLink>
            <ButtonLink to="/clients/import" icon={Upload}>
              Import from CSV
            </ButtonLink>
          </span>
        }
      >
        Add your first client: a name and an email are all you need. Or import your contacts.
      </EmptyState>
    </div>
  )
}
