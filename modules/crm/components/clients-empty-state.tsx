import { Plus, Upload } from 'lucide-react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { ChairsDrawing, Empty } from '#app/ui/components/empty-state.tsx'
import { listAddress, type ListState } from '../list-state.ts'

/** First use shows what to do, a search without hits how to widen it. */
export function NoClients({ state }: { state: ListState }) {
  if (state.q) {
    return (
      <div className="card">
        <Empty
          title="No clients found"
          drawing={<ChairsDrawing />}
          action={<ButtonLink to={listAddress(state, { q: '', page: 1 })}>Show all</ButtonLink>}
        >
          Nobody here has “{state.q}” in their name or email. A few letters are enough, and the{' '}
          {state.place === 'current' ? 'archive' : 'main list'} is searched on its own page.
        </Empty>
      </div>
    )
  }
  if (state.place !== 'current') {
    return (
      <div className="card">
        <Empty title="The archive is empty" action={<ButtonLink to="/clients">Back to clients</ButtonLink>}>
          Open a client and choose Archive to put them away.
        </Empty>
      </div>
    )
  }
  return (
    <div className="card">
      <Empty
        title="No clients found"
        drawing={<ChairsDrawing />}
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
        Add your first client: a name and an email are enough. Or bring the people you already have from a contacts
        file.
      </Empty>
    </div>
  )
}
