import { firstLineMatches } from '#db/search-sql.ts'

// SQL fragments for other modules, so that only pipeline names the table. $1 is the coach.

/** Joins the prospect of `row` as `p`. Add `p.deleted_at is null` to hide rows of prospects in the trash. */
export const joinProspect = (row: string): string =>
  `left join prospect p on p.coach_id = $1 and p.id = ${row}.prospect_id`

/** Whether the prospect of `row` is in the trash. */
export const isProspectInTrash = (row: string): string =>
  `exists (select 1 from prospect p
    where p.coach_id = $1 and p.id = ${row}.prospect_id and p.deleted_at is not null)`

/** Selects the ids of prospects whose name matches a search term. */
export const prospectIdsByName = (placeholder: string): string =>
  `select id from prospect where coach_id = $1 and deleted_at is null and ${firstLineMatches(placeholder)}`
