import { authorize, type Ctx } from '#tenants/context.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'

/** A type that visitors can book has an address. */
export type BookableType = AppointmentTypeRecord & { slug: string }

/** The types on the booking page, cheapest and shortest first: known to everybody, so without a permission. */
export async function listPublicTypes(ctx: Ctx): Promise<BookableType[]> {
  return ctx.query<BookableType>({
    name: 'scheduling.public-types',
    text: `select ${appointmentType.select} from appointment_type t
      where t.coach_id = $1 and t.visibility = 'public' and t.deleted_at is null
      order by t.price_cents nulls first, t.durations[1], lower(t.name), t.id limit 100`,
    values: [ctx.coachId],
  })
}

/** The type at an address, listed or not. Throws not_found, also for one that is hidden. */
export async function getBookableType(ctx: Ctx, slug: string): Promise<BookableType> {
  authorize(ctx, 'scheduling:availability:read')
  const [found] = await ctx.query<BookableType>({
    name: 'scheduling.bookable-type',
    text: `select ${appointmentType.select} from appointment_type t
      where t.coach_id = $1 and t.slug = $2 and t.visibility <> 'hidden' and t.deleted_at is null`,
    values: [ctx.coachId, slug],
  })
  if (!found) throw appointmentType.notFound()
  return found
}

/** Whether the coach's public page links to the booking page: known to everybody, so without a permission. */
export async function hasPublicTypes(ctx: Ctx): Promise<boolean> {
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'scheduling.has-public-types',
    text: `select exists (select 1 from appointment_type
      where coach_id = $1 and visibility = 'public' and deleted_at is null) as found`,
    values: [ctx.coachId],
  })
  return row!.found
}
