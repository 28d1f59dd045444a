import { firstLineMatches } from '#db/search-sql.ts'

// SQL fragments for other modules, so that only crm names the table. $1 is the coach.

/** Joins the client of `row` as `c`. Add `c.deleted_at is null` to hide rows of clients in the trash. */
export const joinClient = (row: string): string => `left join client c on c.coach_id = $1 and c.id = ${row}.client_id`

/** Whether the client of `row` is in the trash. */
export const isClientInTrash = (row: string): string =>
  `exists (
    select 1 from client c
    where c.coach_id = $1 and c.id = ${row}.client_id and c.deleted_at is not null
  )`

/** Selects the ids of the clients in the trash: few, where a condition on a joined client misleads the planner. */
export const clientIdsInTrash = 'select id from client where coach_id = $1 and deleted_at is not null'

/** Selects the ids of clients whose name matches a search term. */
export const clientIdsByName = (placeholder: string): string =>
  `select id from client where coach_id = $1 and deleted_at is null and ${firstLineMatches(placeholder)}`

/** Whether a client has a tag, in any case. `alias`: of the client's table, where a query has several. */
export const hasTag = (placeholder: string, alias?: string): string => {
  const tags = alias ? `${alias}.tags` : 'tags'
  return `(${tags} <> '{}' and exists (select 1 from unnest(${tags}) tag where lower(tag) = lower(${placeholder})))`
}

/** Selects the id and the total in cents of each client of the coach. */
export const clientTotalsSql = 'select id, total_spent from client where coach_id = $1'
