import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { joinClient } from '#modules/crm/index.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { joinProspect } from '../prospects.ts'
import { getAppointmentType } from '../queries/types.ts'
import type { AppointmentRecord, AppointmentTypeRecord } from '../records.ts'
import { lockAttendee } from '../services/appointments.ts'
import { bookAsVisitor, type VisitorBooking } from '../services/visitor-bookings.ts'

/** The subject of errors about the link itself. */
export const linkSubject = 'booking link'

export type LinkState = 'open' | 'used' | 'expired'
export type ListedLink = {
  id: number
  typeName: string
  attendeeName: string
  expiresAt: string | null
  usedAt: string | null
}
export type NewLink = {
  appointmentTypeId: number
  clientId: number | null
  prospectId: number | null
  /** Null: it doesn't expire. */
  days: number | null
}

/**
 * Throws not_found for the type, the client or the prospect, and validation_failed for a person without email address.
 */
export async function createBookingLink(ctx: WriteCtx, { days, ...link }: NewLink): Promise<number> {
  authorize(ctx, 'scheduling:appointment:write')
  await lockAttendee(ctx, link)
  await getAppointmentType(ctx, link.appointmentTypeId)
  const now = ctx.now()
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs)
  const id = await insertRow(ctx, {
    table: 'booking_link',
    name: 'scheduling.add-booking-link',
    row: { ...link, expiresAt, createdAt: now },
  })
  const created = await findBookingLink(ctx, id)
  if (!created?.email)
    throw new AppError('validation_failed', 'Add their email address first: the link fills it in.', {
      field: 'attendee',
    })
  return id
}

/** The newest hundred, without those of people and types in the trash. */
export async function listBookingLinks(ctx: Ctx): Promise<ListedLink[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query<ListedLink>({
    name: 'scheduling.booking-links',
    text: `select l.id, t.name as "typeName", coalesce(c.name, p.name) as "attendeeName",
        ${isoTimestamp('l.expires_at')} as "expiresAt", ${isoTimestamp('l.used_at')} as "usedAt"
      ${visibleLinksSql} order by l.id desc limit 100`,
    values: [ctx.coachId],
  })
}

/** Deletes it: the page says that it is no longer valid. Throws not_found. */
export async function revokeBookingLink(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const [revoked] = await ctx.query({
    name: 'scheduling.revoke-booking-link',
    text: 'delete from booking_link where coach_id = $1 and id = $2 and used_at is null returning id',
    values: [ctx.coachId, id],
  })
  if (!revoked) throw new AppError('not_found', 'This link was used or revoked already.', { subject: linkSubject })
}

export type OpenedLink = {
  id: number
  clientId: number | null
  prospectId: number | null
  name: string
  email: string | null
  appointmentId: number | null
  state: LinkState
  type: AppointmentTypeRecord
}

/** Null for one that was revoked, or whose client, prospect or type is in the trash. */
export async function findBookingLink(ctx: Ctx, id: number): Promise<OpenedLink | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<Omit<OpenedLink, 'state' | 'type'> & { typeId: number; state: LinkState }>({
    name: 'scheduling.booking-link',
    text: `select l.id, l.client_id as "clientId", l.prospect_id as "prospectId", coalesce(c.name, p.name) as name,
        coalesce(c.email, p.email) as email, l.appointment_id as "appointmentId", t.id as "typeId",
        case when l.used_at is not null then 'used' when l.expires_at <= $3 then 'expired' else 'open' end as state
      ${visibleLinksSql} and l.id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  if (!found) return null
  const { typeId, ...link } = found
  return { ...link, type: await getAppointmentType(ctx, typeId) }
}

/** The client whose personal link booked an appointment; null if anyone could have typed the client's address. */
export async function findLinkedClient(ctx: Ctx, appointmentId: number): Promise<number | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<{ clientId: number }>({
    name: 'scheduling.linked-client',
    text: `select l.client_id as "clientId" from booking_link l
      join appointment a on a.coach_id = $1 and a.id = l.appointment_id and a.client_id = l.client_id
      where l.coach_id = $1 and l.appointment_id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return found?.clientId ?? null
}

/** SQL: links `l` with client `c`, prospect `p` and type `t`, unless one of them is in the trash. */
const visibleLinksSql = `from booking_link l ${joinClient('l')} ${joinProspect('l')}
  join appointment_type t on t.coach_id = $1 and t.id = l.appointment_type_id and t.deleted_at is null
  where l.coach_id = $1 and c.deleted_at is null and p.deleted_at is null`

/**
 * Books for the person of the link, once: concurrent bookings wait for the first. Throws conflict if the link can't be
 * used (`linkSubject`), or if the slot can't be booked.
 */
export async function bookByLink(ctx: WriteCtx, id: number, booking: VisitorBooking): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:booking:write')
  await ctx.query({
    name: 'scheduling.lock-booking-link',
    text: 'select id from booking_link where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, id],
  })
  const link = await findBookingLink(ctx, id)
  if (link?.state !== 'open')
    throw new AppError('conflict', 'This link was used, revoked or has expired.', { subject: linkSubject })
  const { clientId, prospectId, type } = link
  const attendee = clientId === null ? { prospectId: prospectId! } : { clientId }
  const booked = await bookAsVisitor(ctx, type, booking, attendee)
  await ctx.query({
    name: 'scheduling.use-booking-link',
    text: 'update booking_link set used_at = $3, appointment_id = $4 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now(), booked.id],
  })
  return booked
}
