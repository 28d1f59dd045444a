import { AppError } from '#app/lib/errors.ts'
import { firstLineMatches } from '#db/search-sql.ts'
import type { ProspectDirectory } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'

// Prospects belong to a module that may be missing: the view `prospect_person` is empty then. $1 is the coach.

/** Joins the prospect of `row` as `p`. Add `p.deleted_at is null` to hide rows of prospects in the trash. */
export const joinProspect = (row: string): string =>
  `left join prospect_person p on p.coach_id = $1 and p.id = ${row}.prospect_id`

/** Whether the prospect of `row` is in the trash. */
export const isProspectInTrash = (row: string): string =>
  `exists (select 1 from prospect_person p
    where p.coach_id = $1 and p.id = ${row}.prospect_id and p.deleted_at is not null)`

/** Selects the ids of the prospects in the trash. */
export const prospectIdsInTrash = 'select id from prospect_person where coach_id = $1 and deleted_at is not null'

/** Selects the ids of prospects whose name matches a search term, without those in the trash. */
export const prospectIdsByName = (placeholder: string): string =>
  `select id from prospect_person where coach_id = $1 and deleted_at is null and ${firstLineMatches(placeholder)}`

/** Null without the module that has prospects, and while it is switched off. */
export const getProspects = (ctx: Pick<Ctx, 'extensions'>): ProspectDirectory | null => ctx.extensions.prospects

/** Keeps the prospect from being deleted or converted until the transaction ends. Throws not_found. */
export async function lockProspect(ctx: WriteCtx, id: number): Promise<void> {
  const prospects = getProspects(ctx)
  if (!prospects) throw new AppError('not_found', 'Prospect not found')
  await prospects.lock(ctx, id)
}
