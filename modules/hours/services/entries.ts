import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { entryCreated, entryDeleted, entryRestored, entryUpdated } from '../events.ts'
import type { NewEntry, EntryEdit } from '../forms.ts'
import { getEntry } from '../queries/entries.ts'
import { entry, type EntryRecord } from '../records.ts'
import { HoursEntry } from '../schema.ts'

type Checked = Pick<EntryRecord, 'format' | 'participants' | 'startDate' | 'endDate' | 'paidMinutes' | 'proBonoMinutes'>

/** Throws validation_failed. An individual entry has no participants, whatever was sent. */
function check<T extends Checked>(input: T): T {
  const fail = (field: string, message: string) => new AppError('validation_failed', message, { field })
  if (input.format === 'group' && input.participants === null)
    throw fail('participants', 'Enter how many people were in the group')
  if (input.endDate < input.startDate) throw fail('endDate', 'The last session is before the first one')
  const minutes = input.paidMinutes + input.proBonoMinutes
  if (minutes === 0) throw fail('paidMinutes', 'Enter paid or pro bono minutes')
  if (minutes > 600_000) throw fail('paidMinutes', 'Enter at most 600,000 minutes')
  return { ...input, participants: input.format === 'group' ? input.participants : null }
}

/** Throws validation_failed and plan_limit. */
export async function createEntry(ctx: WriteCtx, input: NewEntry): Promise<EntryRecord> {
  authorize(ctx, 'hours:entry:write')
  await assertStorage(ctx)
  const now = ctx.now()
  const row = ctx.em.create(HoursEntry, { coachId: ctx.coachId, ...check(input), createdAt: now, updatedAt: now })
  await ctx.em.flush()
  await publish(ctx, entryCreated, { entryId: row.id })
  return getEntry(ctx, row.id)
}

/**
 * Changes only the fields that are sent. Throws not_found, validation_failed, and conflict if it was saved after
 * `expectedVersion`.
 */
export async function updateEntry(
  ctx: WriteCtx,
  id: number,
  input: EntryEdit,
  expectedVersion?: number,
): Promise<EntryRecord> {
  authorize(ctx, 'hours:entry:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, entry, HoursEntry, { coachId: ctx.coachId, id, deletedAt: null })
  entry.assertVersion(row, expectedVersion)
  const { participants } = check({ ...(await getEntry(ctx, id)), ...input })
  ctx.em.assign(row, { ...input, participants, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, entryUpdated, { entryId: id })
  return getEntry(ctx, id)
}

/** Moves an entry to the trash. Throws not_found, also the second time. */
export async function deleteEntry(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'hours:entry:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(HoursEntry, current, { deletedAt: ctx.now() }))) throw entry.notFound()
  await publish(ctx, entryDeleted, { entryId: id })
}

/** Takes an entry out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreEntry(ctx: WriteCtx, id: number): Promise<EntryRecord> {
  authorize(ctx, 'hours:entry:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(HoursEntry, trashed, { deletedAt: null }))
    await publish(ctx, entryRestored, { entryId: id })
  return getEntry(ctx, id)
}
