import { authorize, type Ctx } from '#tenants/context.ts'
import { listOffered, type Cost } from '../paid-bookings/online-sales.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'

/** A type that visitors can book has an address. */
export type BookableType = AppointmentTypeRecord & { slug: string } & Cost

/** The types on the booking page, cheapest and shortest first: known to everybody, so without a permission. */
export async function listPublicTypes(ctx: Ctx): Promise<BookableType[]> {
  const types = await ctx.query<AppointmentTypeRecord & { slug: string }>({
    name: 'scheduling.public-types',
    text: `select ${appointmentType.select} from appointment_type t
      where t.coach_id = $1 and t.visibility = 'public' and t.deleted_at is null
      order by t.durations[1], lower(t.name), t.id limit 100`,
    values: [ctx.coachId],
  })
  // Without a price first.
  return (await listOffered(ctx, types)).toSorted((a, b) => (a.price ?? -1) - (b.price ?? -1))
}

/** The type at an address, listed or not. Throws not_found, also for one that is hidden or whose product isn't sold. */
export async function getBookableType(ctx: Ctx, slug: string): Promise<BookableType> {
  authorize(ctx, 'scheduling:availability:read')
  const [found] = await ctx.query<AppointmentTypeRecord & { slug: string }>({
    name: 'scheduling.bookable-type',
    text: `select ${appointmentType.select} from appointment_type t
      where t.coach_id = $1 and t.slug = $2 and t.visibility <> 'hidden' and t.deleted_at is null`,
    values: [ctx.coachId, slug],
  })
  if (!found) throw appointmentType.notFound()
  return getOffered(ctx, found)
}

/** The types that visitors can book, by name. */
export async function listTypesWithAddress(ctx: Ctx): Promise<{ name: string; slug: string }[]> {
  authorize(ctx, 'scheduling:type:read')
  const types = await ctx.query<Pick<BookableType, 'name' | 'slug' | 'priceCents' | 'productId'>>({
    name: 'scheduling.types-with-address',
    text: `select name, slug, price_cents as "priceCents", product_id as "productId" from appointment_type
      where coach_id = $1 and visibility <> 'hidden' and deleted_at is null order by lower(name) collate "und-x-icu", id`,
    values: [ctx.coachId],
  })
  return (await listOffered(ctx, types)).map(({ name, slug }) => ({ name, slug }))
}

/** The type with what it costs. Throws not_found while it can't be booked. */
export async function getOffered<T extends AppointmentTypeRecord>(ctx: Ctx, type: T): Promise<T & Cost> {
  const [offered] = await listOffered(ctx, [type])
  if (!offered) throw appointmentType.notFound()
  return offered
}

/** Whether the coach's public page links to the booking page: known to everybody, so without a permission. */
export const hasPublicTypes = async (ctx: Ctx): Promise<boolean> => (await listPublicTypes(ctx)).length > 0
