import { AppError } from '#app/lib/errors.ts'
import { searchLine } from '#app/lib/search-term.ts'
import { addDays, dateOf, dayOf, timeOf } from '#app/lib/time.ts'
import { firstZones } from '#app/lib/timezones.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { clientChoices, clientNames } from '#modules/crm/index.ts'
import { prospectChoices, prospectNamed } from '#modules/pipeline/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { isDay } from './calendar-state.ts'
import { appointmentOnScreen, type AppointmentOnScreen } from './queries/appointments.ts'
import { typesInUse } from './queries/types.ts'
import { minutesOf, timeFrom } from './day-segments.ts'
import { clockWords, dayWords, whenWords } from './format.ts'

// What the dialogs of appointments show, in the words of screens.

/** part-2 §9 */
export const suggestedTypes = ['Consultation', 'Coaching', 'Follow-up', 'Discovery', 'Strategy']

type Choice = { value: string; label: string }
/** `more`: there are more people than can be chosen from at once; `who`: the name that they were looked for by. */
export type Choices = {
  clients: Choice[]
  prospects: Choice[]
  more: boolean
  who: string
  types: Choice[]
  suggested: Choice[]
}
type Attendee = Pick<AppointmentOnScreen, 'clientId' | 'clientName' | 'prospectId' | 'prospectName'>

const nobody: Attendee = { clientId: null, clientName: null, prospectId: null, prospectName: null }
/** As many clients, and as many prospects, can be chosen from at once; of more than that one looks for whom one means. */
const most = 100

/** Whom and what an appointment may be with. Who it is with already stays in the list, also archived. */
async function choicesOf(ctx: Ctx, kept: Attendee, sought: string | undefined): Promise<Choices> {
  const who = searchLine(sought ?? '')
  const wanted = { q: who, rows: most + 1 }
  const [clients, prospects, types] = await Promise.all([
    clientChoices(ctx, wanted),
    prospectChoices(ctx, wanted),
    typesInUse(ctx),
  ])
  const named = new Set(types.map(({ name }) => name.toLowerCase()))
  return {
    clients: people('client', clients.slice(0, most), kept.clientId, kept.clientName),
    prospects: people('prospect', prospects.slice(0, most), kept.prospectId, kept.prospectName),
    more: clients.length > most || prospects.length > most,
    who,
    types: types.map(({ id, name }) => ({ value: String(id), label: name })),
    suggested: suggestedTypes
      .filter((name) => !named.has(name.toLowerCase()))
      .map((name) => ({ value: `new:${name}`, label: name })),
  }
}

/** As the form's choice names somebody; '' for nobody. */
const attendeeOf = ({ clientId, prospectId }: Attendee): string =>
  clientId !== null ? `client-${clientId}` : prospectId !== null ? `prospect-${prospectId}` : ''

function people(
  kind: 'client' | 'prospect',
  found: { id: number; name: string }[],
  keptId: number | null,
  keptName: string | null,
): Choice[] {
  const missing =
    keptId !== null && !found.some(({ id }) => id === keptId) ? [{ id: keptId, name: keptName ?? 'Unknown' }] : []
  return [...missing, ...found].map(({ id, name }) => ({ value: `${kind}-${id}`, label: name }))
}

/** Whom the address names for a new appointment: a client or a prospect, if they are there. */
async function wantedOf(ctx: Ctx, { client, prospect }: Record<string, string | undefined>): Promise<Attendee> {
  const [clientId, prospectId] = [parseId(client), parseId(prospect)]
  const [found] = clientId ? await clientNames(ctx, [clientId]) : []
  if (found && !found.inTrash) return { ...nobody, clientId: found.id, clientName: found.name }
  const named = prospectId ? await prospectNamed(ctx, prospectId) : null
  return named ? { ...nobody, prospectId: named.id, prospectName: named.name } : nobody
}

/** A new appointment: on the day that the address names, at nine or at the time that it names, for an hour. */
export async function scheduleDialog(ctx: Ctx, params: Record<string, string | undefined>) {
  const { date, time, who } = params
  const wanted = await wantedOf(ctx, params)
  const start = /^([01]\d|2[0-3]):(00|15|30|45)$/.test(time ?? '') ? time! : '09:00'
  return {
    kind: 'schedule',
    choices: await choicesOf(ctx, wanted, who),
    zone: zoneWords(ctx),
    values: {
      attendee: attendeeOf(wanted),
      date: isDay(date ?? null) ? date! : dateOf(ctx.now(), ctx.account.timezone),
      startTime: start,
      endTime: endAfterAnHour(start),
    },
  } as const
}
export type ScheduleDialogData = Awaited<ReturnType<typeof scheduleDialog>>

const endAfterAnHour = (start: string): string => timeFrom(Math.min(minutesOf(start) + 60, 1440))

/** Which clock the times are of: coaches travel. */
const zoneWords = ({ account: { timezone } }: Ctx): string =>
  firstZones.find(({ value }) => value === timezone)?.label ?? timezone.replaceAll('_', ' ')

/** The dialog of one appointment; 'gone' when it isn't there. `date`: the day that it begins on. */
export async function appointmentDialog(
  ctx: Ctx,
  kind: 'appointment' | 'edit-appointment' | 'complete',
  { appointment, who }: Record<string, string | undefined>,
) {
  const id = parseId(appointment)
  let found: AppointmentOnScreen
  try {
    found = await appointmentOnScreen(ctx, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'gone' } as const
    throw error
  }
  const date = dateOf(found.startTime, ctx.account.timezone)
  if (kind === 'edit-appointment') return { kind, date, ...(await edited(ctx, found, who)) } as const
  return { kind, date, appointment: shown(ctx, found) } as const
}

function shown(ctx: Ctx, found: AppointmentOnScreen) {
  const zone = ctx.account.timezone
  const now = ctx.now()
  const {
    id,
    title,
    description,
    meetingUrl,
    status,
    sessionCompleted,
    clientId,
    prospectId,
    clientName,
    prospectName,
    startTime,
    endTime,
    typeName,
    sessionNotes,
  } = found
  const theirs = found.clientZone && found.clientZone !== zone ? found.clientZone : null
  return {
    id,
    title,
    description,
    meetingUrl,
    status,
    sessionCompleted,
    typeName,
    sessionNotes,
    clientId,
    prospectId,
    who: clientName ?? prospectName ?? 'Unknown',
    since: clientId !== null && found.clientSince ? dayOf(found.clientSince, zone) : null,
    when: whenWords(startTime, endTime, zone, dateOf(now, zone)),
    theirTime: theirs && theirTime(found, theirs, zone),
    /** The session may be marked as held. */
    started: new Date(startTime) <= now,
    over: new Date(endTime) <= now,
  }
}
export type ShownAppointment = ReturnType<typeof shown>

/** '2:00 PM for Zeynep, Berlin', and the day where it is another one. */
function theirTime(
  { startTime, clientName, prospectName }: AppointmentOnScreen,
  theirs: string,
  zone: string,
): string | null {
  const [date, time] = [dateOf(startTime, theirs), timeOf(startTime, theirs)]
  if (time === timeOf(startTime, zone) && date === dateOf(startTime, zone)) return null
  const day = date === dateOf(startTime, zone) ? '' : `, ${dayWords(date, dateOf(startTime, zone))},`
  const place =
    firstZones.find(({ value }) => value === theirs)?.label ?? theirs.split('/').at(-1)!.replaceAll('_', ' ')
  return `${clockWords(time)}${day} for ${(clientName ?? prospectName ?? 'them').split(' ')[0]}, ${place}`
}

async function edited(ctx: Ctx, found: AppointmentOnScreen, who: string | undefined) {
  const zone = ctx.account.timezone
  const { id, version, title, description, meetingUrl, status, appointmentTypeId, startTime, endTime } = found
  const date = dateOf(startTime, zone)
  const endsAtMidnight = timeOf(endTime, zone) === '00:00' && dateOf(endTime, zone) === addDays(date, 1)
  return {
    id,
    version,
    choices: await choicesOf(ctx, found, who),
    zone: zoneWords(ctx),
    values: {
      title,
      attendee: attendeeOf(found),
      type: appointmentTypeId === null ? '' : String(appointmentTypeId),
      date,
      startTime: timeOf(startTime, zone),
      endDate: endsAtMidnight || dateOf(endTime, zone) === date ? '' : dateOf(endTime, zone),
      endTime: endsAtMidnight ? '24:00' : timeOf(endTime, zone),
      meetingUrl: meetingUrl ?? '',
      description: description ?? '',
      status,
    },
  }
}
export type EditDialogData = Extract<Awaited<ReturnType<typeof appointmentDialog>>, { kind: 'edit-appointment' }>

/** The dialog of an appointment type that the address asks for; null when it is none. */
export async function typeDialog(ctx: Ctx, { dialog, type }: Record<string, string | undefined>) {
  if (dialog === 'add-type') return { kind: dialog, type: null } as const
  if (dialog !== 'edit-type' && dialog !== 'delete-type') return null
  const found = (await typesInUse(ctx)).find(({ id }) => String(id) === type)
  return found ? ({ kind: dialog, type: found } as const) : ({ kind: 'type-gone' } as const)
}
