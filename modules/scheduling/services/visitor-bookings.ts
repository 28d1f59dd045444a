import { AppError } from '#app/lib/errors.ts'
import { assertNotReadOnly, createClient, findClientByEmail, NewClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { toPlace, type PlaceChoice } from '../booking/places.ts'
import type { Answer } from '../booking-fields.ts'
import { getProspects } from '../prospects.ts'
import type { AppointmentRecord, AppointmentTypeRecord } from '../records.ts'
import { bookSlot, type SlotChoice } from './bookings.ts'

export type VisitorBooking = Omit<SlotChoice, 'typeId'> & {
  name: string
  email: string
  phone: string
  place: PlaceChoice | null
  notes: string | null
  answers: Answer[]
  timezone: string
}

/**
 * Books a slot for a visitor: the client with this email address, otherwise a new client or prospect as the type says.
 * Without prospects it is a client. Nothing tells the visitor which. Throws conflict if the slot can't be booked.
 * `invited`: whom the coach gave a link, also for a hidden type.
 */
export async function bookAsVisitor(
  ctx: WriteCtx,
  type: AppointmentTypeRecord,
  { name, email, phone, place, notes, answers, timezone, ...choice }: VisitorBooking,
  invited?: Attendee,
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:booking:write')
  return bookSlot(ctx, {
    ...choice,
    typeId: type.id,
    isInvited: invited !== undefined,
    ...(invited
      ? { attendee: await checkInvited(ctx, invited) }
      : await findAttendee(ctx, type, { name, email, phone: phone || null, timezone })),
    title: type.name,
    description: notes,
    timezone,
    answers,
    ...toPlace(type, { place, phone }),
  })
}

type Person = { name: string; email: string; phone: string | null; timezone: string }
type Attendee = { clientId: number } | { prospectId: number }

async function findAttendee(
  ctx: WriteCtx,
  type: AppointmentTypeRecord,
  person: Person,
): Promise<{ attendee: Attendee; isNewAttendee: boolean }> {
  const known = await findClientByEmail(ctx, person.email)
  const prospects = getProspects(ctx)
  const client =
    known !== null
      ? await unlessPlanIsFull(() => assertNotReadOnly(ctx, known).then(() => known))
      : type.newVisitor === 'client' || !prospects
        ? await unlessPlanIsFull(() => addClient(ctx, person))
        : null
  if (client !== null) return { attendee: { clientId: client }, isNewAttendee: known === null }
  if (!prospects) throw bookingFull()
  const prospectId = await prospects.findOrCreate(ctx, { ...person, source: 'Booking page' })
  return { attendee: { prospectId }, isNewAttendee: false }
}

async function checkInvited(ctx: WriteCtx, invited: Attendee): Promise<Attendee> {
  if (!('clientId' in invited)) return invited
  const { clientId } = invited
  if ((await unlessPlanIsFull(() => assertNotReadOnly(ctx, clientId).then(() => clientId))) === null)
    throw bookingFull()
  return invited
}

const bookingFull = (): AppError =>
  new AppError('conflict', 'Online booking is full at the moment. Please get in touch instead.')

const addClient = async (ctx: WriteCtx, person: Person): Promise<number> =>
  (await createClient(ctx, NewClient.parse(person))).id

/** Null if the plan of the coach has no room: not the visitor's problem. */
async function unlessPlanIsFull(work: () => Promise<number>): Promise<number | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'plan_limit') return null
    throw error
  }
}
