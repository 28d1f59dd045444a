import { excerptRead } from '#app/lib/markup.ts'
import { holds } from '#db/columns.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ClientStatus } from '../forms.ts'
import { pageRows, type ListState, type PlaceName, type Sort } from '../list-state.ts'

export type ListedClient = {
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

/** How many clients there are at each place. */
export type Figures = Record<PlaceName, number>
export type ClientList = { rows: ListedClient[]; figures: Figures; matching: number }

/** One page of the list as a screen shows it, and the figures around it, in one round trip. */
export async function clientList(ctx: Ctx, state: ListState): Promise<ClientList> {
  authorize(ctx, 'crm:client:read')
  const queries = [pageQuery(state), figuresQuery, ...(state.q ? [matchingQuery(state)] : [])]
  const [rows, [figures], [matching] = []] = (await ctx.rowsOf(queries)) as [
    ListedClient[],
    [Figures],
    [{ count: number }]?,
  ]
  return { rows, figures, matching: matching?.count ?? figures[state.place] }
}

export const inPlace: Record<PlaceName, string> = {
  current: 'deleted_at is null and archived_at is null',
  archive: 'deleted_at is null and archived_at is not null',
}

function pageQuery({ q, view, place, sort, down, page }: ListState): Query {
  const goals = view === 'cards' ? `left(goals, ${excerptRead})` : 'null'
  return {
    name: `crm.list-${place}-${view}-${sort}-${down ? 'down' : 'up'}${q ? '-q' : ''}`,
    text: `select id, name, email, status, progress, ${goals} as goals, total_spent as "totalSpent", created_at as "createdAt",
      archived_at as "archivedAt"
      from client where ${inPlace[place]}${q ? ` and ${holds('$2')}` : ''} order by ${orders[sort](down ? 'desc' : 'asc')} limit ${pageRows} offset $1`,
    values: [(page - 1) * pageRows, ...(q ? [q] : [])],
  }
}

// The order of a dictionary, whatever the language: without it Åsa comes after Zoe.
const byName = `lower(name) collate "und-x-icu"`

const orders: Record<Sort, (direction: string) => string> = {
  name: (direction) => `${byName} ${direction}, id ${direction}`,
  joined: (direction) => `created_at ${direction}, id ${direction}`,
  status: (direction) => `status ${direction}, ${byName}, id`,
  progress: (direction) => `progress ${direction}, ${byName}, id`,
}

export const figuresQuery: Query = {
  name: 'crm.figures',
  text: `select ${Object.entries(inPlace)
    .map(([place, where]) => `count(*) filter (where ${where}) as ${place}`)
    .join(', ')} from client`,
}

const matchingQuery = ({ q, place }: ListState): Query => ({
  name: `crm.matching-${place}`,
  text: `select count(*) from client where ${inPlace[place]} and ${holds('$1')}`,
  values: [q],
})
