import { AppError } from '#app/lib/errors.ts'
import { formValues, pickFields } from '#app/lib/fields.ts'
import { parseFilterText, parseId } from '#app/lib/url.ts'
import { addDays, localDate, formatDate, localTime } from '#app/lib/time.ts'
import { commonTimezones, type Timezone } from '#app/lib/timezones.ts'
import { listWeekdays } from '#app/lib/clock.ts'
import type { PersonChoice, PersonGroup } from '#app/ui/forms/person-combobox.tsx'
import { listClientOptions, listClientNames } from '#modules/crm/index.ts'
import type { SessionAction } from '#modules/core/manifest.ts'
import { fillSlot, getSessionsLeft, listSessionsLeft } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import { weekdays } from './availability/hours.ts'
import { dateParam } from './calendar-state.ts'
import { getProspects } from './prospects.ts'
import { appointmentPlainFields } from './fields.ts'
import { toMessageLine, type MessageLine } from './message-lines.ts'
import { simulateAppointment } from './messages/simulate.ts'
import { describeBookingPayment, findBookingPayment } from './paid-bookings/describe.ts'
import { getAppointmentDetails, listSessionDates, type AppointmentDetails } from './queries/appointments.ts'
import { getSeriesSummary, type SeriesSummary } from './queries/series.ts'
import { listTypesWithUsage } from './queries/types.ts'
import { timeToMinutes, minutesToTime } from './day-segments.ts'
import { defaultTitle, formatAttendeeTime, formatDateTimeRange } from './format.ts'

/** part-2 §9 */
export const suggestedTypes = ['Consultation', 'Coaching', 'Follow-up', 'Discovery', 'Strategy']

type Choice = { value: string; label: string }
/**
 * `hasMore`: only the first people are listed; `who`: the name that was searched for. `addProspectTo`: null without
 * prospects.
 */
export type AppointmentChoices = {
  clients: PersonChoice[]
  prospects: PersonChoice[]
  addProspectTo: string | null
  hasMore: boolean
  who: string
  types: Choice[]
  suggested: Choice[]
}
type Attendee = Pick<AppointmentDetails, 'clientId' | 'clientName' | 'prospectId' | 'prospectName'>
type Person = { id: number; name: string; timezone: string | null }

const noAttendee: Attendee = { clientId: null, clientName: null, prospectId: null, prospectName: null }
/** The most clients, and the most prospects, in the list; others are found by search. */
const maxChoices = 100

/** The people and types to choose from. The current attendee is listed even if archived. */
async function listChoices(ctx: Ctx, current: Attendee, term: string | undefined): Promise<AppointmentChoices> {
  const who = parseFilterText(term ?? '')
  const options = { q: who, rows: maxChoices + 1 }
  const directory = getProspects(ctx)
  const [clients, prospects, types] = await Promise.all([
    listClientOptions(ctx, options),
    directory?.list(ctx, options) ?? [],
    listTypesWithUsage(ctx),
  ])
  const typeNames = new Set(types.map(({ name }) => name.toLowerCase()))
  return {
    clients: await addSessionsLeft(
      ctx,
      toChoices('client', clients.slice(0, maxChoices), current.clientId, current.clientName),
    ),
    prospects: toChoices('prospect', prospects.slice(0, maxChoices), current.prospectId, current.prospectName),
    addProspectTo: directory?.addHref ?? null,
    hasMore: clients.length > maxChoices || prospects.length > maxChoices,
    who,
    types: types.map(({ id, name }) => ({ value: String(id), label: name })),
    suggested: suggestedTypes
      .filter((name) => !typeNames.has(name.toLowerCase()))
      .map((name) => ({ value: `new:${name}`, label: name })),
  }
}

const maxFound = 10

/** The people whose name or email address has the text, each with what is left of their packages. */
export async function searchAttendees(ctx: Ctx, text: string): Promise<PersonGroup[]> {
  const options = { q: parseFilterText(text), rows: maxFound }
  const [clients, prospects] = await Promise.all([
    listClientOptions(ctx, options),
    getProspects(ctx)?.list(ctx, options) ?? [],
  ])
  return [
    { label: 'Clients', choices: await addSessionsLeft(ctx, toChoices('client', clients)) },
    { label: 'Prospects', choices: toChoices('prospect', prospects) },
  ].filter(({ choices }) => choices.length)
}

async function addSessionsLeft(ctx: Ctx, choices: PersonChoice[]): Promise<PersonChoice[]> {
  const toId = ({ value }: PersonChoice) => Number(value.slice('client-'.length))
  const sessionsLeft = await listSessionsLeft(ctx, choices.map(toId))
  return choices.map((choice) => ({ ...choice, note: sessionsLeft[toId(choice)] }))
}

/** The form's value for an attendee, or ''. */
const attendeeValue = ({ clientId, prospectId }: Attendee): string =>
  clientId !== null ? `client-${clientId}` : prospectId !== null ? `prospect-${prospectId}` : ''

function toChoices(
  kind: 'client' | 'prospect',
  listed: Person[],
  currentId: number | null = null,
  currentName: string | null = null,
): PersonChoice[] {
  const missing =
    currentId !== null && !listed.some(({ id }) => id === currentId)
      ? [{ id: currentId, name: currentName ?? 'Unknown', timezone: null }]
      : []
  return [...missing, ...listed].map(({ id, name, timezone }) => ({ value: `${kind}-${id}`, label: name, timezone }))
}

/** The client or prospect in the URL, if they exist. */
async function findAttendee(ctx: Ctx, { client, prospect }: Record<string, string | undefined>): Promise<Attendee> {
  const [clientId, prospectId] = [parseId(client), parseId(prospect)]
  const [found] = clientId ? await listClientNames(ctx, [clientId]) : []
  if (found && !found.inTrash) return { ...noAttendee, clientId: found.id, clientName: found.name }
  const named = prospectId ? await getProspects(ctx)?.findName(ctx, prospectId) : null
  return named ? { ...noAttendee, prospectId: named.id, prospectName: named.name } : noAttendee
}

/** The people and types of a new personal link; the person and the type in the URL are chosen. */
export async function getLinkForm(ctx: Ctx, params: Record<string, string | undefined>) {
  const attendee = await findAttendee(ctx, params)
  const choices = await listChoices(ctx, attendee, params.who)
  const type = choices.types.find(({ value }) => value === params.type)?.value ?? ''
  return { choices, values: { attendee: attendeeValue(attendee), type } }
}

/** A new appointment of an hour, on the day and at the time in the URL, or at the next likely time. */
export async function getScheduleDialog(ctx: Ctx, params: Record<string, string | undefined>) {
  const attendee = await findAttendee(ctx, params)
  const { date, startTime } = await suggestStart(ctx, attendee, params)
  const name = attendee.clientName ?? attendee.prospectName
  return {
    kind: 'schedule',
    choices: await listChoices(ctx, attendee, params.who),
    zone: toZone(ctx),
    now: localNow(ctx),
    weekdays: listWeekdays(ctx.account.weekStart),
    values: {
      title: name === null ? '' : defaultTitle(name),
      attendee: attendeeValue(attendee),
      date,
      startTime,
      endTime: oneHourLater(startTime),
    },
  } as const
}

const localNow = ({ account: { timezone }, now }: Ctx): string =>
  `${localDate(now(), timezone)}T${localTime(now(), timezone)}`

/** part-2 §2 */
const defaultStart = '09:00'

async function suggestStart(
  ctx: Ctx,
  { clientId }: Attendee,
  { date, time }: Record<string, string | undefined>,
): Promise<{ date: string; startTime: string }> {
  const isTime = /^([01]\d|2[0-3]):(00|15|30|45)$/.test(time ?? '')
  const now = localNow(ctx)
  const today = now.slice(0, 10)
  const day = dateParam.parse(date ?? '')
  if (day || isTime) return { date: day ?? today, startTime: isTime ? time! : defaultStart }

  const [dates] = clientId === null ? [] : await listSessionDates(ctx, [clientId])
  const latest = dates?.next ?? dates?.last
  if (latest) return nextWeekly(latest, ctx.account.timezone, now)
  return { date: now < `${today}T${defaultStart}` ? today : addDays(today, 1), startTime: defaultStart }
}

/** The same weekday and time in one of the weeks after `latest` that is not in the past. */
function nextWeekly(latest: Date, zone: string, now: string): { date: string; startTime: string } {
  const startTime = localTime(latest, zone)
  let date = addDays(localDate(latest, zone), 7)
  while (`${date}T${startTime}` < now) date = addDays(date, 7)
  return { date, startTime }
}

export type ScheduleDialogData = Awaited<ReturnType<typeof getScheduleDialog>>

const oneHourLater = (start: string): string => minutesToTime(Math.min(timeToMinutes(start) + 60, 1440))

/** The coach's time zone, with its name because coaches travel. */
const toZone = ({ account: { timezone } }: Ctx): Timezone =>
  commonTimezones.find(({ value }) => value === timezone) ?? { value: timezone, label: timezone.replaceAll('_', ' ') }

const appointmentDialogKinds = [
  'appointment',
  'edit-appointment',
  'delete-appointment',
  'complete',
  'add-notes',
] as const
type AppointmentDialogKind = (typeof appointmentDialogKinds)[number]

export const isAppointmentDialog = (kind: string | null): kind is AppointmentDialogKind =>
  (appointmentDialogKinds as readonly (string | null)[]).includes(kind)

/** `date`: the day on which the appointment starts. */
export async function getAppointmentDialog(
  ctx: Ctx,
  kind: AppointmentDialogKind,
  { appointment, who }: Record<string, string | undefined>,
) {
  const id = parseId(appointment)
  let found: AppointmentDetails
  try {
    found = await getAppointmentDetails(ctx, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'not-found', id } as const
    throw error
  }
  const date = localDate(found.startTime, ctx.account.timezone)
  const series = found.seriesId === null ? null : await getSeriesSummary(ctx, found.seriesId)
  const repeats = series && describeSeries(series, ctx)
  if (kind === 'edit-appointment') return { kind, date, repeats, ...(await getEditDialog(ctx, found, who)) } as const
  const isDetails = kind === 'appointment'
  const [messages, filled, sessionsLeft, payment] = await Promise.all([
    isDetails ? simulateAppointment(ctx, id) : [],
    isDetails ? fillSlot(ctx, 'appointment.action', { id: String(id) }) : [],
    getSessionsLeft(ctx, found.clientId),
    isDetails ? findBookingPayment(ctx, id) : null,
  ])
  const lines = messages.map((message) => toMessageLine(ctx, message))
  const actions = filled.flatMap(({ data }) => (data as SessionAction | null) ?? [])
  const view = { ...toAppointmentView(ctx, found, repeats), sessionsLeft }
  if (payment)
    view.answers = [{ question: 'Paid when booking', answer: describeBookingPayment(payment) }, ...view.answers]
  return { kind, date, appointment: { ...view, messages: lines, actions } } as const
}

/** 'Every 2 weeks on Tuesday and Thursday, 12 sessions until Mar 30, 2027'. One weekday is that of the session. */
function describeSeries(series: SeriesSummary, { account: { timezone } }: Ctx): string {
  const { unit, interval, count, lastStart } = series
  const days = unit === 'week' && series.weekdays.length > 1 ? series.weekdays.map((day) => weekdays[day]!) : []
  const on = days.length ? ` on ${new Intl.ListFormat('en-US').format(days)}` : ''
  const every = interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`
  return `${every}${on}, ${count} ${count === 1 ? 'session' : 'sessions'} until ${formatDate(lastStart, timezone)}`
}

/** `repeats`: how its series repeats; null without one. */
function toAppointmentView(ctx: Ctx, found: AppointmentDetails, repeats: string | null) {
  const zone = ctx.account.timezone
  const now = ctx.now()
  const {
    id,
    sessionCompleted,
    revaiJobId,
    summaryGenerated,
    clientId,
    clientName,
    prospectName,
    startTime,
    endTime,
    typeName,
    typeColor,
    sessionNotes,
    location,
    answers,
    cancellationReason,
    moveReason,
    description,
  } = found
  return {
    id,
    ...pickFields(appointmentPlainFields, found),
    description: [
      cancellationReason && `Cancelled by the client: ${cancellationReason}`,
      moveReason && `Moved by the client: ${moveReason}`,
      description,
    ]
      .filter(Boolean)
      .join('\n\n'),
    sessionCompleted,
    isProcessing: revaiJobId !== null,
    summaryGenerated,
    typeName,
    typeColor,
    sessionNotes,
    location,
    answers,
    clientId,
    attendeeTo: toAttendeeHref(ctx, found),
    attendeeName: clientName ?? prospectName ?? 'Unknown',
    clientSince: clientId !== null && found.clientSince ? formatDate(found.clientSince, zone) : null,
    when: formatDateTimeRange(startTime, endTime, ctx.account, localDate(now, zone)),
    repeats,
    attendeeTime: formatAttendeeTime(startTime, clientName ?? prospectName ?? 'them', found.clientZone, ctx.account),
    hasStarted: new Date(startTime) <= now,
    hasEnded: new Date(endTime) <= now,
  }
}
/** The page of the client or prospect; null for a prospect whose module is missing. */
function toAttendeeHref(ctx: Ctx, { clientId, prospectId }: Pick<Attendee, 'clientId' | 'prospectId'>): string | null {
  if (clientId !== null) return `/clients/${clientId}`
  return (prospectId !== null && getProspects(ctx)?.toHref(prospectId)) || null
}
export type AppointmentView = ReturnType<typeof toAppointmentView> & {
  messages: MessageLine[]
  sessionsLeft: string | null
  actions: SessionAction[]
}

async function getEditDialog(ctx: Ctx, found: AppointmentDetails, who: string | undefined) {
  const zone = ctx.account.timezone
  const { id, version, appointmentTypeId, startTime, endTime } = found
  const date = localDate(startTime, zone)
  const endsAtMidnight = localTime(endTime, zone) === '00:00' && localDate(endTime, zone) === addDays(date, 1)
  return {
    id,
    version,
    choices: await listChoices(ctx, found, who),
    zone: toZone(ctx),
    now: localNow(ctx),
    values: {
      ...formValues(appointmentPlainFields, found),
      attendee: attendeeValue(found),
      type: appointmentTypeId === null ? '' : String(appointmentTypeId),
      date,
      startTime: localTime(startTime, zone),
      endDate: endsAtMidnight || localDate(endTime, zone) === date ? '' : localDate(endTime, zone),
      endTime: endsAtMidnight ? '24:00' : localTime(endTime, zone),
    },
  }
}
export type EditDialogData = Extract<Awaited<ReturnType<typeof getAppointmentDialog>>, { kind: 'edit-appointment' }>

/** The appointment type dialog in the URL, or null. */
export async function getTypeDialog(ctx: Ctx, { dialog, type }: Record<string, string | undefined>) {
  if (dialog === 'add-type') return { kind: dialog, type: null } as const
  if (dialog !== 'edit-type' && dialog !== 'delete-type') return null
  const found = (await listTypesWithUsage(ctx)).find(({ id }) => String(id) === type)
  return found ? ({ kind: dialog, type: found } as const) : ({ kind: 'type-not-found' } as const)
}
