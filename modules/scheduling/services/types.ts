import { AppError } from '#app/lib/errors.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { getAppointmentType } from '../queries/types.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'

/** Throws conflict if the name is taken, in any case. */
export async function createType(ctx: WriteCtx, { name }: { name: string }): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const added = await insertType(ctx, name)
  if (added === undefined) throw nameTaken()
  return getAppointmentType(ctx, added)
}

/** The id of the type with this name, in any case; adds it if there is none. */
export async function findOrCreateType(ctx: WriteCtx, name: string): Promise<number> {
  authorize(ctx, 'scheduling:type:write')
  const findByName = async () => {
    const [found] = await ctx.query<{ id: number }>({
      name: 'scheduling.type-by-name',
      text: 'select id from appointment_type where coach_id = $1 and lower(name) = lower($2) and deleted_at is null',
      values: [ctx.coachId, name],
    })
    return found?.id
  }
  return (await findByName()) ?? (await insertType(ctx, name)) ?? (await findByName()) ?? Promise.reject(nameTaken())
}

/** Undefined if the name is taken, also by a concurrent insert. */
async function insertType(ctx: WriteCtx, name: string): Promise<number | undefined> {
  const [added] = await ctx.query<{ id: number }>({
    name: 'scheduling.create-type',
    text: `insert into appointment_type (coach_id, name, created_at, updated_at) values ($1, $2, $3, $3)
      on conflict (coach_id, lower(name)) where deleted_at is null do nothing returning id`,
    values: [ctx.coachId, name, ctx.now()],
  })
  return added?.id
}

/** Throws not_found, and conflict if the name is taken. */
export async function updateType(
  ctx: WriteCtx,
  id: number,
  { name }: { name?: string | undefined },
): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  if (name === undefined) return getAppointmentType(ctx, id)
  await assertNameIsFree(ctx, id, name)
  const [edited] = await ctx.query({
    name: 'scheduling.update-type',
    text: 'update appointment_type set name = $3, updated_at = $4 where coach_id = $1 and id = $2 and deleted_at is null returning id',
    values: [ctx.coachId, id, name, ctx.now()],
  })
  if (!edited) throw appointmentType.notFound()
  return getAppointmentType(ctx, id)
}

/** Moves a type to the trash; its appointments stay without a type. Throws not_found, also the second time. */
export async function deleteType(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:type:write')
  const [deleted] = await ctx.query({
    name: 'scheduling.delete-type',
    text: 'update appointment_type set deleted_at = $3 where coach_id = $1 and id = $2 and deleted_at is null returning id',
    values: [ctx.coachId, id, ctx.now()],
  })
  if (!deleted) throw appointmentType.notFound()
}

/** Its appointments have the type again. Throws not_found, and conflict if its name was taken in the meantime. */
export async function restoreType(ctx: WriteCtx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const [found] = await ctx.query<{ name: string }>({
    name: 'scheduling.trashed-type',
    text: 'select name from appointment_type where coach_id = $1 and id = $2 and deleted_at is not null',
    values: [ctx.coachId, id],
  })
  if (!found) return getAppointmentType(ctx, id)
  await assertNameIsFree(ctx, id, found.name)
  await ctx.query({
    name: 'scheduling.restore-type',
    text: 'update appointment_type set deleted_at = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  return getAppointmentType(ctx, id)
}

/** A readable error before the unique index fails. */
async function assertNameIsFree(ctx: WriteCtx, id: number, name: string): Promise<void> {
  const [other] = await ctx.query({
    name: 'scheduling.other-type-by-name',
    text: 'select id from appointment_type where coach_id = $1 and lower(name) = lower($3) and id <> $2 and deleted_at is null',
    values: [ctx.coachId, id, name],
  })
  if (other) throw nameTaken()
}

const nameTaken = (): AppError => new AppError('conflict', 'An appointment type with this name already exists.')
