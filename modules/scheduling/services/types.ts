import { currencyName, isPayable, isWholeCurrency, wholeAmountMessage } from '#app/lib/currencies.ts'
import { AppError } from '#app/lib/errors.ts'
import { toSlug } from '#app/lib/slug.ts'
import { columnName } from '#modules/core/define-record.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { replanQueue } from '../messages/replan.ts'
import { assertBookingPrice, assertProduct } from '../paid-bookings/online-sales.ts'
import { AppointmentTypeInput, type AppointmentTypeEdit } from '../forms.ts'
import { getSchedule } from '../queries/schedules.ts'
import { getAppointmentType } from '../queries/types.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'
import { AppointmentType, AvailabilitySchedule } from '../schema.ts'
import { refreshBusyTimes } from './busy-times.ts'

type NewType = Partial<AppointmentTypeInput> & { name: string }

/**
 * Throws conflict if the name or the slug is taken, not_found for an unknown schedule or product, and validation_failed
 * for the price or the product.
 */
export async function createType(ctx: WriteCtx, input: NewType): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  if (typeof input.scheduleId === 'number') await getSchedule(ctx, input.scheduleId)
  await assertPayable(ctx, input.priceCents)
  const { payment = 'later', priceCents = null, productId = null } = input
  if (productId !== null) await assertProduct(ctx, productId, priceCents)
  await assertBookingPrice(ctx, { payment, priceCents, productId })
  if (input.slug) await assertSlugIsFree(ctx, input.slug)
  const isBookable = input.visibility !== undefined && input.visibility !== 'hidden'
  const slug = input.slug ?? (isBookable ? await findFreeSlug(ctx, input.name) : null)
  const added = await insertType(ctx, { ...input, slug })
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
  return (
    (await findByName()) ?? (await insertType(ctx, { name })) ?? (await findByName()) ?? Promise.reject(nameTaken())
  )
}

const emptyType = AppointmentTypeInput.parse({ name: 'Type' })

/** Undefined if the name is taken, also by a concurrent insert. */
async function insertType(ctx: WriteCtx, input: NewType): Promise<number | undefined> {
  const row: Record<string, unknown> = { ...emptyType, ...definedFields(input) }
  row.questions = JSON.stringify(row.questions)
  const properties = Object.keys(emptyType)
  const [added] = await ctx.query<{ id: number }>({
    name: 'scheduling.create-type',
    text: `insert into appointment_type (coach_id, created_at, updated_at, ${properties.map(columnName).join(', ')})
      values ($1, $2, $2, ${properties.map((_, index) => `$${index + 3}`).join(', ')})
      on conflict (coach_id, lower(name)) where deleted_at is null do nothing returning id`,
    values: [ctx.coachId, ctx.now(), ...properties.map((property) => row[property])],
  })
  return added?.id
}

/**
 * Throws not_found, also for the schedule or the product, conflict if the name or the slug is taken, and
 * validation_failed for the price or the product. A price replaces the product, and the other way round. `expectedVersion`,
 * as of `getTypeVersion`: throws conflict if the type was saved since.
 */
export async function updateType(
  ctx: WriteCtx,
  id: number,
  input: AppointmentTypeEdit,
  { expectedVersion }: { expectedVersion?: number | undefined } = {},
): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const { scheduleId, ...fields } = definedFields(input)
  if (!Object.keys(input).length) return getAppointmentType(ctx, id)
  if (typeof scheduleId === 'number') await getSchedule(ctx, scheduleId)
  await assertPayable(ctx, fields.priceCents)
  const type = await lockRow(ctx, appointmentType, AppointmentType, { coachId: ctx.coachId, id, deletedAt: null })
  appointmentType.assertVersion({ version: type.updatedAt.getTime() }, expectedVersion)
  if (fields.name !== undefined) await assertNameIsFree(ctx, id, fields.name)
  if (fields.slug) await assertSlugIsFree(ctx, fields.slug, id)
  if (fields.productId != null) {
    if (fields.productId !== type.productId || fields.priceCents != null)
      await assertProduct(ctx, fields.productId, fields.priceCents)
    fields.priceCents = null
  } else if (fields.priceCents != null) fields.productId = null
  ctx.em.assign(type, {
    ...fields,
    ...(scheduleId === undefined ? {} : { schedule: scheduleReference(ctx, scheduleId) }),
    updatedAt: ctx.now(),
  })
  if (fields.payment !== undefined || fields.priceCents !== undefined || fields.productId !== undefined)
    await assertBookingPrice(ctx, {
      payment: type.payment,
      priceCents: type.priceCents ?? null,
      productId: type.productId ?? null,
    })
  if (type.visibility !== 'hidden' && !type.slug) type.slug = await findFreeSlug(ctx, type.name, id)
  await ctx.em.flush()
  if ('bufferBefore' in fields || 'bufferAfter' in fields || scheduleId !== undefined)
    await refreshBusyTimes(ctx, { typeId: id })
  if ('reminderMinutes' in fields || 'followUp' in fields) await ctx.enqueue(replanQueue, { coachId: ctx.coachId })
  return getAppointmentType(ctx, id)
}

async function assertPayable(ctx: WriteCtx, price: number | null | undefined): Promise<void> {
  if (price == null) return
  const currency = await lockCurrency(ctx)
  if (!isPayable(price, currency))
    throw new AppError('validation_failed', wholeAmountMessage(currency), { field: 'priceCents' })
}

/** Refuses a currency without a smaller unit while prices are parts of one. Throws conflict. */
export async function assertPricesPayable(ctx: WriteCtx, { currency }: { currency: string }): Promise<void> {
  if (!isWholeCurrency(currency)) return
  const [type] = await ctx.query<{ name: string }>({
    name: 'scheduling.price-with-cents',
    text: `select name from appointment_type
      where coach_id = $1 and deleted_at is null and price_cents % 100 <> 0 order by lower(name) limit 1`,
    values: [ctx.coachId],
  })
  if (type)
    throw new AppError(
      'conflict',
      `${currencyName(currency)} has no smaller unit. Make the price of the appointment type “${type.name}” a whole amount first.`,
      { subject: 'currency' },
    )
}

const scheduleReference = (ctx: WriteCtx, id: number | null) =>
  id === null ? null : ctx.em.getReference(AvailabilitySchedule, [ctx.coachId, id], { wrapped: true })

/**
 * Before a product is erased: its types no longer have a price, so nobody can book them until the coach chooses one.
 */
export async function forgetProduct(ctx: Pick<WriteCtx, 'query' | 'coachId'>, productId: number): Promise<void> {
  await ctx.query({
    name: 'scheduling.forget-product',
    text: `update appointment_type set product_id = null, payment = 'later', visibility = 'hidden'
      where coach_id = $1 and product_id = $2`,
    values: [ctx.coachId, productId],
  })
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

/**
 * Its appointments have the type again. Throws not_found, conflict if its name was taken in the meantime, and
 * validation_failed for a price that the currency no longer has.
 */
export async function restoreType(ctx: WriteCtx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:write')
  const [found] = await ctx.query<{ name: string; slug: string | null; priceCents: number | null }>({
    name: 'scheduling.trashed-type',
    text: 'select name, slug, price_cents::float8 as "priceCents" from appointment_type where coach_id = $1 and id = $2 and deleted_at is not null',
    values: [ctx.coachId, id],
  })
  if (!found) return getAppointmentType(ctx, id)
  await assertPayable(ctx, found.priceCents)
  await assertNameIsFree(ctx, id, found.name)
  if (found.slug) await assertSlugIsFree(ctx, found.slug, id)
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

async function assertSlugIsFree(ctx: WriteCtx, slug: string, exceptId = 0): Promise<void> {
  if ((await listSlugs(ctx, slug, exceptId)).includes(slug))
    throw new AppError('conflict', 'Another appointment type has this address.', { field: 'slug' })
}

/** The name as a slug, with a number if it is taken. */
async function findFreeSlug(ctx: WriteCtx, name: string, exceptId = 0): Promise<string> {
  const slug = toSlug(name).slice(0, 50) || 'session'
  const taken = await listSlugs(ctx, slug, exceptId)
  let number = 1
  const numbered = () => (number === 1 ? slug : `${slug}-${number}`)
  while (taken.includes(numbered())) number++
  return numbered()
}

/** The slugs of other types that begin with `slug`. */
async function listSlugs(ctx: WriteCtx, slug: string, exceptId: number): Promise<string[]> {
  const rows = await ctx.query<{ slug: string }>({
    name: 'scheduling.slugs',
    text: `select slug from appointment_type
      where coach_id = $1 and starts_with(slug, $2) and id <> $3 and deleted_at is null`,
    values: [ctx.coachId, slug, exceptId],
  })
  return rows.map((row) => row.slug)
}

const definedFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
