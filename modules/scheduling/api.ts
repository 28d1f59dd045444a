import { z } from 'zod'
import { isoInstant } from '#app/lib/zod-types.ts'
import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import {
  AppointmentEdit,
  AppointmentTypeEdit,
  AppointmentTypeInput,
  Completion,
  NewAppointment,
  ScheduleEdit,
  ScheduleInput,
} from './forms.ts'
import { getAppointment, listAppointments, todayRange } from './queries/appointments.ts'
import { getAppointmentType, listAppointmentTypes } from './queries/types.ts'
import { getSchedule, listSchedules } from './queries/schedules.ts'
import { AppointmentOut, AppointmentTypeOut, CompletedOut, ScheduleOut, type AppointmentRecord } from './records.ts'
import {
  createAppointment,
  completeSession,
  deleteAppointment,
  updateAppointment,
  restoreAppointment,
} from './services/appointments.ts'
import { createSchedule, deleteSchedule, restoreSchedule, updateSchedule } from './services/schedules.ts'
import { createType, deleteType, updateType, restoreType } from './services/types.ts'

const appointments = { tags: ['Appointments'] }
const toCursor = ({ startTime, id }: AppointmentRecord) => ({ at: startTime, id })
const timeBound = (description: string) =>
  isoInstant('Send a time').optional().meta({ type: 'string', format: 'date-time', description })

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
        'in which the times were chosen, by default that of the coach.',
      body: NewAppointment,
      run: createAppointment,
    },
    update: {
      description:
        'Changes only the fields that are sent. A client replaces the prospect, and the other way round. ' +
        '`status: completed` after the start completes the session.',
      body: AppointmentEdit,
      run: updateAppointment,
    },
    delete: { run: deleteAppointment },
    restore: restoreAppointment,
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
    // Without a transcription service no summary is generated.
    handle: async (ctx, { params, body }) => ({
      appointment: await completeSession(ctx, params.id!, body),
      revAiEnabled: false,
    }),
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
        '`weeklyLimit` count the appointments of this type. Visitors can book it unless its `visibility` is `hidden`.',
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
