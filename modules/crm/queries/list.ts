import { maxExcerptSource } from '#app/lib/markup.ts'
import { matchesSearch } from '#db/search-sql.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ClientStatus } from '../fields.ts'
import { clientsPerPage, parseSort, type ListState, type Scope, type SortKey } from '../list-state.ts'

export type ClientListItem = {
  id: number
  name: string
  email: string
  status: ClientStatus
  progress: number
  goals: string | null
  /** Cents. */
  totalSpent: number
  createdAt: Date
  archivedAt: Date | null
}

export type ScopeCounts = Record<Scope, number>
export type ClientList = { rows: ClientListItem[]; counts: ScopeCounts; matchCount: number }

/** One page of the client list and its counts, in one round trip. */
export async function getClientList(ctx: Ctx, state: ListState): Promise<ClientList> {
  authorize(ctx, 'crm:client:read')
  const queries = [pageQuery(ctx, state), scopeCountsQuery(ctx), ...(state.q ? [matchCountQuery(ctx, state)] : [])]
  const [rows, [counts], [matches] = []] = (await ctx.queryAll(queries)) as [
    ClientListItem[],
    [ScopeCounts],
    [{ count: number }]?,
  ]
  return { rows, counts, matchCount: matches?.count ?? counts[state.show] }
}

export const scopeConditions: Record<Scope, string> = {
  current: 'deleted_at is null and archived_at is null',
  archive: 'deleted_at is null and archived_at is not null',
}

function pageQuery({ coachId }: Ctx, { q, view, show, sort, page }: ListState): Query {
  const { key, descending } = parseSort(sort)
  const goals = view === 'cards' ? `left(goals, ${maxExcerptSource})` : 'null'
  return {
    name: `crm.list-${show}-${view}-${key}-${descending ? 'desc' : 'asc'}${q ? '-q' : ''}`,
    text: `select id, name, email, status, progress, ${goals} as goals, total_spent as "totalSpent",
        created_at as "createdAt", archived_at as "archivedAt"
      from client where coach_id = $1 and ${scopeConditions[show]} ${q ? `and ${matchesSearch('$3')}` : ''}
      order by ${orderBy[key](descending ? 'desc' : 'asc')} limit ${clientsPerPage} offset $2`,
    values: [coachId, (page - 1) * clientsPerPage, ...(q ? [q] : [])],
  }
}

// Language-neutral dictionary order: without it Åsa sorts after Zoe.
const byName = `lower(name) collate "und-x-icu"`

const orderBy: Record<SortKey, (direction: string) => string> = {
  name: (direction) => `${byName} ${direction}, id ${direction}`,
  joined: (direction) => `created_at ${direction}, id ${direction}`,
  status: (direction) => `status ${direction}, ${byName}, id`,
  progress: (direction) => `progress ${direction}, ${byName}, id`,
}

export const scopeCountsQuery = ({ coachId }: Ctx): Query => ({
  name: 'crm.scope-counts',
  text: `select ${Object.entries(scopeConditions)
    .map(([scope, condition]) => `count(*) filter (where ${condition}) as ${scope}`)
    .join(', ')} from client where coach_id = $1`,
  values: [coachId],
})

const matchCountQuery = ({ coachId }: Ctx, { q, show }: ListState): Query => ({
  name: `crm.match-count-${show}`,
  text: `select count(*) from client where coach_id = $1 and ${scopeConditions[show]} and ${matchesSearch('$2')}`,
  values: [coachId, q],
})
