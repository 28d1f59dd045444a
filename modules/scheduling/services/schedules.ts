import { AppError } from '#app/lib/errors.ts'
import { insertRows } from '#db/insert-rows.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import {
  describeHours,
  describeOverrides,
  type DateRanges,
  type Range,
  type WeekdayRange,
} from '../availability/hours.ts'
import { maxOverrides, ScheduleEdit, type ScheduleInput } from '../forms.ts'
import { getSchedule } from '../queries/schedules.ts'
import { schedule as scheduleRecord, type ScheduleRecord } from '../records.ts'
import { AvailabilitySchedule } from '../schema.ts'
import { refreshBusyTimes } from './busy-times.ts'

const maxSchedules = 20

/** Adds a schedule; the first one is the default. Throws conflict if the name is taken, and at the limit. */
export async function createSchedule(ctx: WriteCtx, input: ScheduleInput): Promise<ScheduleRecord> {
  authorize(ctx, 'scheduling:availability:write')
  const { hours, overrides, isDefault, ...fields } = input
  const others = await lockSchedules(ctx)
  if (others.length >= maxSchedules) throw new AppError('conflict', `You can have at most ${maxSchedules} schedules.`)
  assertNameIsFree(others, fields.name)
  const becomesDefault = isDefault || others.length === 0
  if (becomesDefault) await clearDefault(ctx)
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'availability_schedule',
    name: 'scheduling.add-schedule',
    row: {
      ...fields,
      isDefault: becomesDefault,
      hours: describeHours(hours),
      overrides: describeOverrides(overrides),
      createdAt: now,
      updatedAt: now,
    },
  })
  await insertHours(ctx, id, hours)
  await insertOverrides(ctx, id, overrides)
  if (becomesDefault) await refreshBusyTimes(ctx)
  return getSchedule(ctx, id)
}

/**
 * Changes the given fields. Throws not_found, and conflict if the name is taken or the schedule was edited after
 * `expectedVersion`.
 */
export async function updateSchedule(
  ctx: WriteCtx,
  id: number,
  { hours, overrides, isDefault, ...fields }: ScheduleEdit,
  expectedVersion?: number,
): Promise<ScheduleRecord> {
  authorize(ctx, 'scheduling:availability:write')
  const schedules = await lockSchedules(ctx)
  const current = await lockRow(ctx, scheduleRecord, AvailabilitySchedule, {
    coachId: ctx.coachId,
    id,
    deletedAt: null,
  })
  scheduleRecord.assertVersion(current, expectedVersion)
  if (fields.name !== undefined)
    assertNameIsFree(
      schedules.filter((other) => other.id !== id),
      fields.name,
    )
  const becomesDefault = isDefault === true && !current.isDefault
  if (becomesDefault) await clearDefault(ctx)
  ctx.em.assign(current, {
    ...definedFields(fields),
    ...(becomesDefault ? { isDefault: true } : {}),
    ...(hours ? { hours: describeHours(hours) } : {}),
    ...(overrides ? { overrides: describeOverrides(overrides) } : {}),
    version: current.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (hours) {
    await deleteRows(ctx, 'availability_range', id)
    await insertHours(ctx, id, hours)
  }
  if (overrides) {
    await deleteRows(ctx, 'availability_override', id)
    await insertOverrides(ctx, id, overrides)
  }
  if (becomesDefault || fields.bufferBefore !== undefined || fields.bufferAfter !== undefined)
    await refreshBusyTimes(ctx)
  return getSchedule(ctx, id)
}

/** Sets the hours of one date, a day off without ranges, or with null the weekly ones again. Throws not_found. */
export async function setOverride(
  ctx: WriteCtx,
  id: number,
  { date, ranges }: { date: string; ranges: Range[] | null },
): Promise<ScheduleRecord> {
  authorize(ctx, 'scheduling:availability:write')
  await lockSchedules(ctx)
  const { overrides } = ScheduleEdit.parse({ overrides: (await getSchedule(ctx, id)).overrides })
  const others = overrides!.filter((override) => override.date !== date)
  if (ranges && others.length >= maxOverrides)
    throw new AppError('conflict', `A schedule can have other hours on at most ${maxOverrides} dates.`)
  return updateSchedule(ctx, id, { overrides: ranges ? [...others, { date, ranges }] : others })
}

/**
 * Moves a schedule to the trash; its types follow the default. After the default one, the oldest is the default. Throws
 * not_found.
 */
export async function deleteSchedule(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:availability:write')
  const schedules = await lockSchedules(ctx)
  const found = schedules.find((schedule) => schedule.id === id)
  if (!found) throw scheduleRecord.notFound()
  await ctx.query({
    name: 'scheduling.delete-schedule',
    text: 'update availability_schedule set deleted_at = $3, is_default = false where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
  const oldest = schedules.find((schedule) => schedule.id !== id)
  if (found.isDefault && oldest) await setDefault(ctx, oldest.id)
  await refreshBusyTimes(ctx)
}

/** Takes a schedule out of the trash. Throws not_found, and conflict if its name was taken in the meantime. */
export async function restoreSchedule(ctx: WriteCtx, id: number): Promise<ScheduleRecord> {
  authorize(ctx, 'scheduling:availability:write')
  const others = await lockSchedules(ctx)
  const [found] = await ctx.query<{ name: string }>({
    name: 'scheduling.trashed-schedule',
    text: 'select name from availability_schedule where coach_id = $1 and id = $2 and deleted_at is not null',
    values: [ctx.coachId, id],
  })
  if (!found) return getSchedule(ctx, id)
  assertNameIsFree(others, found.name)
  await ctx.query({
    name: 'scheduling.restore-schedule',
    text: 'update availability_schedule set deleted_at = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (others.length === 0) await setDefault(ctx, id)
  await refreshBusyTimes(ctx)
  return getSchedule(ctx, id)
}

type LockedSchedule = { id: number; name: string; isDefault: boolean }

/** Locks all schedules: bookings wait for the change, and the change for bookings. */
function lockSchedules(ctx: WriteCtx): Promise<LockedSchedule[]> {
  return ctx.query<LockedSchedule>({
    name: 'scheduling.lock-schedules',
    text: `select id, name, is_default as "isDefault" from availability_schedule
      where coach_id = $1 and deleted_at is null order by id for no key update`,
    values: [ctx.coachId],
  })
}

async function clearDefault(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'scheduling.clear-default',
    text: `update availability_schedule set is_default = false, updated_at = $2
      where coach_id = $1 and is_default and deleted_at is null`,
    values: [ctx.coachId, ctx.now()],
  })
}

async function setDefault(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'scheduling.set-default',
    text: 'update availability_schedule set is_default = true, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
}

async function insertHours(ctx: WriteCtx, scheduleId: number, hours: WeekdayRange[]): Promise<void> {
  if (!hours.length) return
  const rows = hours.map(({ weekday, start, end }) => ({
    coach_id: ctx.coachId,
    schedule_id: scheduleId,
    weekday,
    start_minute: start,
    end_minute: end,
  }))
  await ctx.query(insertRows('availability_range', rows))
}

async function insertOverrides(ctx: WriteCtx, scheduleId: number, overrides: DateRanges[]): Promise<void> {
  if (!overrides.length) return
  const rows = overrides.flatMap(({ date, ranges }) =>
    (ranges.length ? ranges : [{ start: null, end: null }]).map(({ start, end }) => ({
      coach_id: ctx.coachId,
      schedule_id: scheduleId,
      date,
      start_minute: start,
      end_minute: end,
    })),
  )
  await ctx.query(insertRows('availability_override', rows))
}

async function deleteRows(
  ctx: WriteCtx,
  table: 'availability_range' | 'availability_override',
  scheduleId: number,
): Promise<void> {
  await ctx.query({
    name: `scheduling.clear.${table}`,
    text: `delete from ${table} where coach_id = $1 and schedule_id = $2`,
    values: [ctx.coachId, scheduleId],
  })
}

function assertNameIsFree(others: LockedSchedule[], name: string): void {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('conflict', 'A schedule with this name already exists.', { field: 'name' })
}

const definedFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
