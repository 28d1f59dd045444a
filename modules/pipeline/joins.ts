import { firstLineHolds } from '#db/columns.ts'

// What other modules' statements say about prospects, so that the table is named here alone.

/** SQL: joins the prospect that `row` points to by `prospect_id`, as `p`. What belongs to a prospect in the trash is hidden: `p.deleted_at is null`. */
export const joinedProspect = (row: string): string =>
  `left join prospect p on p.coach_id = ${row}.coach_id and p.id = ${row}.prospect_id`

/** SQL: whether the prospect that `row` points to lies in the trash. */
export const prospectInTrash = (row: string): string =>
  `exists (select from prospect p where p.coach_id = ${row}.coach_id and p.id = ${row}.prospect_id and p.deleted_at is not null)`

/** SQL: the ids of the prospects whose name holds a term. */
export const prospectsNamed = (placeholder: string): string =>
  `select id from prospect where deleted_at is null and ${firstLineHolds(placeholder)}`
