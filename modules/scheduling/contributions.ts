import { asMarkup } from '#app/lib/markup.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { dateOf, dayOf, timeOf } from '#app/lib/time.ts'
import { clientNames, type ClientFactsById, type ClientPlace, type TimelineEntry } from '#modules/crm/index.ts'
import type { Contribution, FirstStep } from '#modules/core/manifest.ts'
import type { ProspectPlace } from '#modules/pipeline/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { scheduleDialog, suggestedTypes, typeDialog } from './dialogs.ts'
import {
  appointmentsByStart,
  monthInFigures,
  sessionsOfClient,
  sessionsOfClients,
  today,
} from './queries/appointments.ts'
import { typesInUse } from './queries/types.ts'
import { statusWords } from './statuses.ts'
import { clockWords, lengthWords, nearWords, shortClock, spanWords } from './format.ts'

const permission = 'scheduling:appointment:read'

/** What the calendar shows on the dashboard, below Settings, and on the screens of clients. */
export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'this-month', order: 20, permission, load: thisMonth },
  { slot: 'dashboard.main', widget: 'todays-schedule', order: 10, permission, load: todaysSchedule },
  {
    slot: 'dashboard.action',
    widget: 'schedule-session',
    order: 30,
    permission: 'scheduling:appointment:write',
    load: async () => null,
  },
  { slot: 'dashboard.step', order: 40, permission: 'scheduling:appointment:write', load: firstSession },
  {
    slot: 'settings.pane',
    widget: 'appointment-types',
    order: 20,
    permission: 'scheduling:type:write',
    load: typesPane,
  },
  {
    slot: 'client.dialog',
    widget: 'client-dialog',
    order: 20,
    permission: 'scheduling:appointment:write',
    load: clientDialog,
  },
  {
    slot: 'client.timeline',
    order: 40,
    permission,
    load: (ctx, { id, rows = '50' }) => timelineOf(ctx, Number(id), Number(rows)),
  },
  { slot: 'client.row', order: 20, permission, load: (ctx, { ids = '' }) => factsOf(ctx, ids) },
  { slot: 'client.menu', order: 20, permission, load: async () => places },
  { slot: 'prospect.menu', order: 10, permission: 'scheduling:appointment:write', load: async () => prospectPlaces },
]

const schedule = { label: 'Schedule Session', icon: 'calendar-plus', dialog: 'schedule' }
const places: ClientPlace[] = [
  { ...schedule, on: 'page' },
  { ...schedule, on: 'card-menu' },
  { label: 'Sessions', icon: 'calendar', to: '/calendar?client={id}', on: 'card' },
]

const prospectPlaces: ProspectPlace[] = [{ label: 'Schedule Session', to: '/calendar?dialog=schedule&prospect={id}' }]

async function thisMonth(ctx: Ctx) {
  return { ...(await monthInFigures(ctx)), month: dateOf(ctx.now(), ctx.account.timezone).slice(0, 7) }
}
export type ThisMonth = Awaited<ReturnType<typeof thisMonth>>

async function todaysSchedule(ctx: Ctx) {
  const zone = ctx.account.timezone
  const now = ctx.now()
  const appointments = await appointmentsByStart(ctx, today(ctx))
  const next = appointments.find(({ endTime, status }) => new Date(endTime) > now && status !== 'cancelled')
  return {
    clock: shortClock(timeOf(now, zone)),
    appointments: appointments.map((appointment) => {
      const { id, title, clientName, prospectName, status, startTime, endTime, meetingUrl } = appointment
      return {
        id,
        title,
        status,
        who: clientName ?? prospectName ?? 'Unknown',
        time: clockWords(timeOf(startTime, zone)),
        length: lengthWords(startTime, endTime),
        over: new Date(endTime) <= now,
        join: appointment === next ? meetingUrl : null,
      }
    }),
  }
}
export type TodaysSchedule = Awaited<ReturnType<typeof todaysSchedule>>

async function firstSession(ctx: Ctx): Promise<FirstStep> {
  const [had] = await ctx.rows<{ done: boolean }>({
    name: 'scheduling.had-session',
    text: 'select exists (select from appointment) as done',
  })
  return {
    title: 'Schedule a session',
    text: 'When you meet, and with whom.',
    ...had!,
    to: '/calendar?dialog=schedule',
    call: 'Open Calendar',
  }
}

async function typesPane(ctx: Ctx, params: Record<string, string | undefined>) {
  const [types, dialog] = await Promise.all([typesInUse(ctx), typeDialog(ctx, params)])
  const named = new Set(types.map(({ name }) => name.toLowerCase()))
  return { types, suggested: suggestedTypes.filter((name) => !named.has(name.toLowerCase())), dialog }
}
export type TypesPane = Awaited<ReturnType<typeof typesPane>>

/** The dialog that the address of a client's page, or of the list, asks for; null when it is none of ours. */
async function clientDialog(ctx: Ctx, { dialog, id, who }: Record<string, string | undefined>) {
  if (dialog !== 'schedule') return null
  const [client] = await clientNames(ctx, [parseId(id)])
  return client && !client.inTrash
    ? { clientId: client.id, dialog: await scheduleDialog(ctx, { client: id, who }) }
    : null
}
export type ClientDialog = Awaited<ReturnType<typeof clientDialog>>

/** The sessions that have begun; what lies ahead is no story yet. */
async function timelineOf(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const zone = ctx.account.timezone
  const sessions = await sessionsOfClient(ctx, clientId, rows)
  return sessions.map(({ id, title, status, start, end, description }) => ({
    key: `session ${id}`,
    at: start,
    kind: 'session',
    title,
    text: asMarkup(
      [`${statusWords[status]}, ${spanWords(timeOf(start, zone), timeOf(end, zone))}`, description]
        .filter(Boolean)
        .join('. '),
    ),
    to: `/calendar?dialog=appointment&appointment=${id}`,
  }))
}

async function factsOf(ctx: Ctx, ids: string): Promise<ClientFactsById> {
  const zone = ctx.account.timezone
  const now = dateOf(ctx.now(), zone)
  const rows = await sessionsOfClients(ctx, ids.split(',').map(Number).filter(Boolean))
  return Object.fromEntries(
    rows.map(({ clientId, last, next }) => [
      clientId,
      {
        ...(last ? { lastAppointment: dayOf(last, zone) } : {}),
        ...(next
          ? { nextAppointment: `${nearWords(dateOf(next, zone), now)}, ${clockWords(timeOf(next, zone))}` }
          : {}),
      },
    ]),
  )
}
