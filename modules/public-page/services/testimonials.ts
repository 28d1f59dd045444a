import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { testimonialCreated, testimonialDeleted, testimonialRestored, testimonialUpdated } from '../events.ts'
import { maxTestimonials, testimonialFormFields } from '../fields.ts'
import type { NewTestimonial, TestimonialEdit } from '../forms.ts'
import { getTestimonial, listInOrder } from '../queries/testimonials.ts'
import { testimonial, type TestimonialRecord } from '../records.ts'
import { Testimonial } from '../schema.ts'
import { lockSettings } from './settings.ts'

/** Adds it at the end. Throws conflict if there are as many as a practice can have, and plan_limit. */
export async function createTestimonial(
  ctx: WriteCtx,
  { permission: _confirmed, ...input }: NewTestimonial,
): Promise<TestimonialRecord> {
  authorize(ctx, 'public-page:testimonial:write')
  await assertStorage(ctx)
  await lockSettings(ctx)
  const { count, last } = await countTestimonials(ctx)
  assertRoom(count)
  const now = ctx.now()
  const row = ctx.em.create(Testimonial, {
    coachId: ctx.coachId,
    ...input,
    position: last + 1,
    permissionAt: now,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, testimonialCreated, { testimonialId: row.id })
  return getTestimonial(ctx, row.id)
}

/**
 * Changes only the fields that are sent. Another text needs the permission again. Throws not_found, validation_failed,
 * and conflict if it was saved after `expectedVersion`.
 */
export async function updateTestimonial(
  ctx: WriteCtx,
  id: number,
  { permission, ...input }: TestimonialEdit,
  expectedVersion?: number,
): Promise<TestimonialRecord> {
  authorize(ctx, 'public-page:testimonial:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, testimonial, Testimonial, { coachId: ctx.coachId, id, deletedAt: null })
  testimonial.assertVersion(row, expectedVersion)
  const isOtherText = (['quote', 'name', 'role'] as const).some(
    (field) => input[field] !== undefined && input[field] !== (row[field] ?? null),
  )
  if (isOtherText && !permission)
    throw new AppError('validation_failed', testimonialFormFields.permission.required, { field: 'permission' })
  const now = ctx.now()
  ctx.em.assign(row, {
    ...input,
    ...(isOtherText ? { permissionAt: now } : {}),
    version: row.version + 1,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, testimonialUpdated, { testimonialId: id })
  return getTestimonial(ctx, id)
}

/** Moves a testimonial by one, if it isn't the first or last already. Throws not_found. */
export async function moveTestimonial(
  ctx: WriteCtx,
  { id, to }: { id: number; to: 'up' | 'down' },
): Promise<TestimonialRecord> {
  authorize(ctx, 'public-page:testimonial:write')
  await lockSettings(ctx)
  const ids = (await listInOrder(ctx)).map((one) => one.id)
  const from = ids.indexOf(id)
  if (from < 0) throw testimonial.notFound()
  const target = Math.min(Math.max(from + (to === 'up' ? -1 : 1), 0), ids.length - 1)
  ids.splice(target, 0, ...ids.splice(from, 1))
  await ctx.query({
    name: 'public-page.order-testimonials',
    text: `update testimonial set position = ordered.position::int
      from unnest($2::bigint[]) with ordinality as ordered (id, position)
      where testimonial.coach_id = $1 and testimonial.id = ordered.id`,
    values: [ctx.coachId, ids],
  })
  return getTestimonial(ctx, id)
}

/** Moves a testimonial to the trash. Throws not_found, also the second time. */
export async function deleteTestimonial(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'public-page:testimonial:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Testimonial, current, { deletedAt: ctx.now() }))) throw testimonial.notFound()
  await publish(ctx, testimonialDeleted, { testimonialId: id })
}

/** Takes a testimonial out of the trash. Does nothing if it isn't there. Throws not_found, and conflict without room. */
export async function restoreTestimonial(ctx: WriteCtx, id: number): Promise<TestimonialRecord> {
  authorize(ctx, 'public-page:testimonial:write')
  await lockSettings(ctx)
  const { count } = await countTestimonials(ctx)
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(Testimonial, trashed, { deletedAt: null })) {
    assertRoom(count)
    await publish(ctx, testimonialRestored, { testimonialId: id })
  }
  return getTestimonial(ctx, id)
}

async function countTestimonials(ctx: WriteCtx): Promise<{ count: number; last: number }> {
  const [row] = await ctx.query<{ count: number; last: number }>({
    name: 'public-page.count-testimonials',
    text: `select count(*)::int as count, coalesce(max(position), 0) as last from testimonial
      where coach_id = $1 and deleted_at is null`,
    values: [ctx.coachId],
  })
  return row!
}

function assertRoom(count: number): void {
  if (count >= maxTestimonials)
    throw new AppError('conflict', `You have ${maxTestimonials} testimonials, the most there can be. Delete one first.`)
}
