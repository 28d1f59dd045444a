import { z } from 'zod'
import { dayMs } from '#app/lib/time.ts'
import { isoInstant } from '#app/lib/zod-types.ts'
import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { limitToScopes, type Ctx } from '#tenants/context.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import {
  AgendaEdit,
  AppointmentEdit,
  AppointmentTypeEdit,
  AppointmentTypeInput,
  Completion,
  NewAppointments,
  ScheduleEdit,
  ScheduleInput,
} from './forms.ts'
import { MessageSettingsEdit, MessageTextInput } from './messages/forms.ts'
import { simulateAppointment, simulateImagined } from './messages/simulate.ts'
import { textKinds, type TextKind } from './messages/texts.ts'
import { loadAgenda } from './queries/agendas.ts'
import { getAppointment, listAppointments, todayRange } from './queries/appointments.ts'
import { isBeingSummarized } from './queries/summary-state.ts'
import { getAppointmentType, listAppointmentTypes } from './queries/types.ts'
import { getSchedule, listSchedules } from './queries/schedules.ts'
import { ScopeParams } from './recurrence/forms.ts'
import {
  AgendaOut,
  AppointmentOut,
  AppointmentTypeOut,
  CompletedOut,
  ScheduleOut,
  type AppointmentRecord,
} from './records.ts'
import { saveAgenda } from './services/agendas.ts'
import { completeSession, restoreAppointment } from './services/appointments.ts'
import { getMessageSettings, updateMessageSettings } from './services/message-settings.ts'
import { listMessageTexts, resetMessageText, saveMessageText } from './services/message-texts.ts'
import { createSchedule, deleteSchedule, restoreSchedule, updateSchedule } from './services/schedules.ts'
import { createAppointments, deleteAppointments, updateAppointments } from './services/series.ts'
import { createType, deleteType, updateType, restoreType } from './services/types.ts'

const appointments = { tags: ['Appointments'] }
const keysOfAgendas = 'An API key also needs to read tasks.'
const toCursor = ({ startTime, id }: AppointmentRecord) => ({ at: startTime, id })
const timeBound = (description: string) =>
  isoInstant('Send a time').optional().meta({ type: 'string', format: 'date-time', description })

const messages = { tags: ['Messages'] }
const textKindNames = Object.keys(textKinds) as TextKind[]
const byTextKind = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(textKindNames.map((kind) => [kind, schema])) as Record<TextKind, S>
const MessageTexts = z.object({
  coachId: z.int(),
  ...byTextKind(z.object({ subject: z.string(), body: z.string(), isStandard: z.boolean(), version: z.int() })),
})
const MessageSettingsOut = z.object({
  coachId: z.int(),
  reminderMinutes: z.array(z.int()).describe('Minutes before the start'),
  followUp: z.boolean(),
  followUpMinutes: z.int().describe('Minutes after the end'),
  tellsCoach: z.boolean().describe('Whether the coach gets an email when a client books, moves or cancels'),
  version: z.int(),
})
const Simulation = z.object({
  messages: z.array(
    z.object({
      id: z.int().nullable(),
      kind: z.string(),
      label: z.string(),
      state: z.enum(['sent', 'sending', 'in-doubt', 'planned', 'left-out']),
      at: z.iso.datetime().nullable().describe('When it was or will be sent'),
      email: z.string().nullable(),
      why: z.string().describe('Why it is sent, or why not'),
    }),
  ),
})

async function getTextsByKind(ctx: Ctx): Promise<z.output<typeof MessageTexts>> {
  const texts = await listMessageTexts(ctx)
  const byKind = Object.fromEntries(texts.map(({ kind, ...text }) => [kind, text]))
  return { coachId: ctx.coachId, ...byKind } as z.output<typeof MessageTexts>
}

export const operations = [
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments',
    summary: 'List appointments',
    description: 'By start time, earliest first.',
    query: PageParams.extend({
      from: timeBound('Only those that start at or after this time.'),
      to: timeBound('Only those that start before this time.'),
      clientId: z.string().optional().describe('Only those of this client.'),
    }),
    answers: { 200: z.array(AppointmentOut) },
    handle: async (ctx, { query: { clientId: clientParam, from, to, ...query }, response }) => {
      const clientId = clientParam === undefined ? undefined : (await getClient(ctx, parseId(clientParam))).id
      return paginate(ctx, response, {
        path: '/api/appointments',
        query: { ...query, clientId, from: from?.toISOString(), to: to?.toISOString() },
        fetch: (rows, after) => listAppointments(ctx, { from, to, clientId, rows, after }),
        toCursor,
      })
    },
  }),
  listOperation({
    ...appointments,
    path: '/appointments/today',
    summary: 'List the appointments of today',
    description: "Those that start today in the coach's time zone, including cancelled ones.",
    output: AppointmentOut,
    run: (ctx, page) => listAppointments(ctx, { ...todayRange(ctx), ...page }),
    toCursor,
  }),
  listOperation({
    ...appointments,
    path: '/appointments/pending-summaries',
    summary: 'List completed sessions without a summary',
    description: 'Oldest first.',
    output: AppointmentOut,
    run: (ctx, page) => listAppointments(ctx, { pendingSummary: true, ...page }),
    toCursor,
  }),
  ...resource({
    path: '/appointments',
    noun: 'appointment',
    output: AppointmentOut,
    get: getAppointment,
    create: {
      summary: 'Schedule an appointment',
      description:
        'With a client or with a prospect. It may overlap others, and be `completed` if it has started. `timezone`: ' +
        'in which the times were chosen, by default that of the coach. With `recurrence` it answers with the first of a ' +
        'series: at most 104 appointments within two years, monthly ones on the last day of shorter months.',
      body: NewAppointments,
      run: createAppointments,
    },
    delete: {
      description: 'By `scope` also other appointments of its series that are to come and not completed.',
      query: ScopeParams,
      run: deleteAppointments,
    },
    restore: restoreAppointment,
  }),
  operation({
    ...appointments,
    method: 'patch',
    path: '/appointments/{id}',
    summary: 'Change an appointment',
    description:
      'Changes only the fields that are sent. A client replaces the prospect, and the other way round. ' +
      '`status: completed` after the start completes the session. In other appointments of its series, by `scope`, it ' +
      'changes the same fields, unless they were changed in one of them alone, have begun, or are completed or ' +
      'cancelled. After `following` this one and the later ones are a series of their own.',
    query: ScopeParams,
    body: AppointmentEdit,
    answers: { 200: AppointmentOut },
    find: (ctx, { id }) => getAppointment(ctx, id!),
    handle: (ctx, { params, body, query }) => updateAppointments(ctx, params.id!, body, query),
  }),
  operation({
    ...appointments,
    method: 'post',
    path: '/appointments/{id}/complete',
    summary: 'Complete a session',
    description:
      'A second call returns the same. `notes` (light markup) become an interaction of the client. ' +
      'Before the start, or cancelled: 409.',
    body: Completion,
    answers: { 200: CompletedOut },
    find: (ctx, { id }) => getAppointment(ctx, id!),
    handle: async (ctx, { params, body }) => {
      const appointment = await completeSession(ctx, params.id!, body)
      return { appointment, revAiEnabled: await isBeingSummarized(ctx, appointment.id) }
    },
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/{id}/agenda',
    summary: 'The agenda of a session',
    description:
      'At most 20 commitments; `/tasks` has all of them. A session with a prospect has no agenda: 404. ' +
      keysOfAgendas,
    answers: { 200: AgendaOut },
    refusals: [404],
    handle: (ctx, { params }) => loadAgenda(ctx, params.id!),
  }),
  operation({
    ...appointments,
    method: 'patch',
    path: '/appointments/{id}/agenda',
    summary: "Change the coach's points of an agenda",
    description: `\`content\` replaces all of them. Commitments are tasks, and are changed as such. ${keysOfAgendas}`,
    body: AgendaEdit,
    answers: { 200: AgendaOut },
    refusals: [404],
    find: (ctx, { id }) => loadAgenda(limitToScopes(ctx), id!),
    handle: async (ctx, { params, body }) => {
      await saveAgenda(ctx, params.id!, body)
      return loadAgenda(limitToScopes(ctx), params.id!)
    },
  }),
  operation({
    ...messages,
    method: 'get',
    path: '/appointments/{id}/messages',
    summary: 'Simulate the messages of an appointment',
    description: 'Those that were sent, those that will be and when, and those that will not be with the reason.',
    answers: { 200: Simulation },
    find: (ctx, { id }) => getAppointment(ctx, id!),
    handle: async (ctx, { params }) => ({ messages: await simulateAppointment(ctx, params.id!) }),
  }),
  operation({
    ...messages,
    method: 'get',
    path: '/messages/simulation',
    summary: 'Simulate the messages of an imagined appointment',
    description: 'As if a visitor booked it now. By default it ends after an hour.',
    query: z.object({
      appointmentTypeId: z.string().optional(),
      startTime: timeBound('By default in two days.'),
      endTime: timeBound('By default an hour later.'),
    }),
    answers: { 200: Simulation },
    handle: async (ctx, { query: { appointmentTypeId, endTime, ...query } }) => {
      const startTime = query.startTime ?? new Date(ctx.now().getTime() + 2 * dayMs)
      const imagined = {
        appointmentTypeId: appointmentTypeId === undefined ? null : parseId(appointmentTypeId),
        startTime,
        endTime: endTime ?? new Date(startTime.getTime() + 3_600_000),
      }
      return { messages: await simulateImagined(ctx, imagined) }
    },
  }),
  operation({
    ...messages,
    method: 'get',
    path: '/messages/texts',
    summary: 'List the texts of the messages',
    answers: { 200: MessageTexts },
    handle: getTextsByKind,
  }),
  operation({
    ...messages,
    method: 'patch',
    path: '/messages/texts',
    permission: 'scheduling:message:write',
    summary: 'Change texts of messages',
    description:
      'Only those that are sent; null is the standard text. Placeholders, such as `{{client name}}`, are plain text. ' +
      'An unknown one is a 422 that names it.',
    body: z.object(byTextKind(MessageTextInput.nullable().optional())),
    answers: { 200: MessageTexts },
    handle: async (ctx, { body }) => {
      for (const kind of textKindNames) {
        const text = body[kind]
        if (text) await saveMessageText(ctx, kind, text)
        if (text === null) await resetMessageText(ctx, kind)
      }
      return getTextsByKind(ctx)
    },
  }),
  operation({
    ...messages,
    method: 'get',
    path: '/messages/settings',
    summary: 'Get the settings of messages',
    answers: { 200: MessageSettingsOut },
    handle: async (ctx) => ({ coachId: ctx.coachId, ...(await getMessageSettings(ctx)) }),
  }),
  operation({
    ...messages,
    method: 'patch',
    path: '/messages/settings',
    summary: 'Change when messages go out',
    description: 'For appointments without a type, and for types that have no reminders of their own.',
    body: MessageSettingsEdit,
    answers: { 200: MessageSettingsOut },
    handle: async (ctx, { body }) => ({ coachId: ctx.coachId, ...(await updateMessageSettings(ctx, body)) }),
  }),
  ...resource({
    path: '/appointment-types',
    tag: 'Appointment types',
    noun: 'appointment type',
    output: AppointmentTypeOut,
    get: getAppointmentType,
    list: { summary: 'List appointment types', run: listAppointmentTypes },
    create: { description: 'Names are unique, ignoring case: 409.', body: AppointmentTypeInput, run: createType },
    update: {
      description:
        'Rules that are null are those of the schedule; without `scheduleId`, of the default schedule. `dailyLimit` and ' +
        '`weeklyLimit` count the appointments of this type. Visitors can book it unless its `visibility` is `hidden`, and ' +
        'as long as the product `productId` is sold: active, paid once, with a price. `productId` replaces `priceCents`, ' +
        'and the other way round.',
      body: AppointmentTypeEdit,
      run: updateType,
    },
    delete: { description: 'Its appointments stay, without a type.', run: deleteType },
    restore: restoreType,
  }),
  ...resource({
    path: '/availability/schedules',
    tag: 'Availability',
    noun: 'schedule',
    output: ScheduleOut,
    get: getSchedule,
    list: { summary: 'List schedules', run: listSchedules },
    create: {
      description:
        'Working hours by weekday (0 is Sunday) and for single dates, in local time. Buffers and the notice are minutes. ' +
        'Names are unique, ignoring case: 409.',
      body: ScheduleInput,
      run: createSchedule,
    },
    update: {
      description: '`hours` and `overrides` replace all that there are.',
      body: ScheduleEdit,
      run: updateSchedule,
    },
    delete: {
      description: 'Its types follow the default schedule. After the default one, the oldest is the default.',
      run: deleteSchedule,
    },
    restore: restoreSchedule,
  }),
]
