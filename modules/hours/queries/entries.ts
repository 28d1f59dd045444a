import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { entry, type EntryRecord } from '../records.ts'

/** Newest first. */
export async function listEntries(ctx: Ctx, page: Page = {}): Promise<EntryRecord[]> {
  authorize(ctx, 'hours:entry:read')
  return listNewest(ctx, {
    name: 'hours.list',
    select: entry.select,
    from: 'hours_entry',
    where: { notDeleted: 'deleted_at is null' },
    ...page,
  })
}

/** Throws not_found, also for one in the trash. */
export async function getEntry(ctx: Ctx, id: number): Promise<EntryRecord> {
  const row = await getEntryForEdit(ctx, id)
  if (!row) throw entry.notFound()
  const { version: _version, ...record } = row
  return record
}

/** The entry with its version, which the edit form sends back; null when it doesn't exist. */
export async function getEntryForEdit(ctx: Ctx, id: number): Promise<(EntryRecord & { version: number }) | null> {
  authorize(ctx, 'hours:entry:read')
  const [row] = await ctx.query<EntryRecord & { version: number }>({
    name: 'hours.get',
    text: `select ${entry.select}, version from hours_entry where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}
