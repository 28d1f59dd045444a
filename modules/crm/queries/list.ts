import { maxExcerptSource } from '#app/lib/markup.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ClientStatus } from '../fields.ts'
import { clientsPerPage, parseSort, type ListState, type Scope, type SortKey } from '../list-state.ts'
import type { FilterCondition } from '../slots.ts'
import { conditionSql, loadConditions, scopeConditions } from './filters.ts'

export type ClientListItem = {
  id: number
  name: string
  email: string
  status: ClientStatus
  progress: number
  tags: string[]
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
  const filters = await loadConditions(ctx, state)
  const queries = [
    pageQuery(ctx, state, filters),
    scopeCountsQuery(ctx),
    ...(filters.length ? [matchCountQuery(ctx, state, filters)] : []),
  ]
  const [rows, [counts], [matches] = []] = (await ctx.queryAll(queries)) as [
    ClientListItem[],
    [ScopeCounts],
    [{ count: number }]?,
  ]
  return { rows, counts, matchCount: matches?.count ?? counts[state.show] }
}

function pageQuery({ coachId }: Ctx, { view, show, sort, page }: ListState, filters: FilterCondition[]): Query {
  const { key, descending } = parseSort(sort)
  const goals = view === 'cards' ? `left(goals, ${maxExcerptSource})` : 'null'
  const { name, where, values } = conditionSql(show, filters, 3)
  return {
    name: `crm.list-${view}-${key}-${descending ? 'desc' : 'asc'}-${name}`,
    text: `select id, name, email, status, progress, tags, ${goals} as goals, total_spent as "totalSpent",
        created_at as "createdAt", archived_at as "archivedAt"
      from client where coach_id = $1 and ${where}
      order by ${orderBy[key](descending ? 'desc' : 'asc')} limit ${clientsPerPage} offset $2`,
    values: [coachId, (page - 1) * clientsPerPage, ...values],
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

function matchCountQuery({ coachId }: Ctx, { show }: ListState, filters: FilterCondition[]): Query {
  const { name, where, values } = conditionSql(show, filters, 2)
  return {
    name: `crm.match-count-${name}`,
    text: `select count(*) from client where coach_id = $1 and ${where}`,
    values: [coachId, ...values],
  }
}
