import { AppError } from '#app/lib/errors.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { typeOf } from '../queries/types.ts'
import { typeNotFound, type AppointmentTypeRecord } from '../output.ts'

/** Adds an appointment type. Throws conflict when there is one of that name, in whatever case. */
export async function addType(ctx: WriteCtx, { name }: { name: string }): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const added = await insertType(ctx, name)
  if (added === undefined) throw taken()
  return typeOf(ctx, added)
}

/** The type of that name, in whatever case; added if there is none. */
export async function typeNamed(ctx: WriteCtx, name: string): Promise<number> {
  authorize(ctx, 'scheduling:type:write')
  const named = async () => {
    const [found] = await ctx.rows<{ id: number }>({
      name: 'scheduling.type-named',
      text: 'select id from appointment_type where lower(name) = lower($1) and deleted_at is null',
      values: [name],
    })
    return found?.id
  }
  return (await named()) ?? (await insertType(ctx, name)) ?? (await named()) ?? Promise.reject(taken())
}

/** Undefined when there is one of that name, also when it was added at the same moment. */
async function insertType(ctx: WriteCtx, name: string): Promise<number | undefined> {
  const [added] = await ctx.rows<{ id: number }>({
    name: 'scheduling.add-type',
    text: `insert into appointment_type (coach_id, name, created_at, updated_at) values ($1, $2, $3, $3)
      on conflict (coach_id, lower(name)) where deleted_at is null do nothing returning id`,
    values: [ctx.coachId, name, ctx.now()],
  })
  return added?.id
}

/** Renames an appointment type. Throws not_found, conflict. */
export async function editType(
  ctx: WriteCtx,
  id: number,
  { name }: { name?: string | undefined },
): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  if (name === undefined) return typeOf(ctx, id)
  await keepNameFree(ctx, id, name)
  const [edited] = await ctx.rows({
    name: 'scheduling.edit-type',
    text: 'update appointment_type set name = $2, updated_at = $3 where id = $1 and deleted_at is null returning id',
    values: [id, name, ctx.now()],
  })
  if (!edited) throw typeNotFound()
  return typeOf(ctx, id)
}

/** Moves an appointment type to the trash; its appointments keep going without one. Throws not_found, also the second time. */
export async function deleteType(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:type:write')
  const [deleted] = await ctx.rows({
    name: 'scheduling.delete-type',
    text: 'update appointment_type set deleted_at = $2 where id = $1 and deleted_at is null returning id',
    values: [id, ctx.now()],
  })
  if (!deleted) throw typeNotFound()
}

/** Takes an appointment type out of the trash, with the appointments that had it. Throws not_found; conflict when its name was taken since. */
export async function restoreType(ctx: WriteCtx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const [found] = await ctx.rows<{ name: string }>({
    name: 'scheduling.trashed-type',
    text: 'select name from appointment_type where id = $1 and deleted_at is not null',
    values: [id],
  })
  if (!found) return typeOf(ctx, id)
  await keepNameFree(ctx, id, found.name)
  await ctx.rows({
    name: 'scheduling.restore-type',
    text: 'update appointment_type set deleted_at = null where id = $1',
    values: [id],
  })
  return typeOf(ctx, id)
}

/** The unique index holds it; this says it in words. */
async function keepNameFree(ctx: WriteCtx, id: number, name: string): Promise<void> {
  const [other] = await ctx.rows({
    name: 'scheduling.same-name',
    text: 'select id from appointment_type where lower(name) = lower($2) and id <> $1 and deleted_at is null',
    values: [id, name],
  })
  if (other) throw taken()
}

const taken = (): AppError =>
  new AppError('conflict', 'An appointment type with this name already exists.', { field: 'name' })
