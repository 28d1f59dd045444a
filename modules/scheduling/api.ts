import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { getClient } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { isoInstant } from '#app/lib/zod-types.ts'
import { AppointmentEdit, AppointmentTypeEdit, AppointmentTypeFields, Completion, NewAppointment } from './forms.ts'
import { getAppointment, listAppointments, todayRange } from './queries/appointments.ts'
import { getAppointmentType, listAppointmentTypes } from './queries/types.ts'
import { AppointmentOut, AppointmentTypeOut, CompletedOut, type AppointmentRecord } from './output.ts'
import {
  addAppointment,
  completeSession,
  deleteAppointment,
  editAppointment,
  restoreAppointment,
} from './services/appointments.ts'
import { addType, deleteType, editType, restoreType } from './services/types.ts'

const appointments = { tags: ['Appointments'] }
const types = { tags: ['Appointment types'] }
const toCursor = ({ startTime, id }: AppointmentRecord) => ({ at: startTime, id })
const timeBound = (what: string) =>
  isoInstant('Send a time').optional().meta({ type: 'string', format: 'date-time', description: what })

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
      const clientId = clientParam === undefined ? undefined : (await getClient(ctx, parseClientId(clientParam))).id
      return paginate(ctx, response, {
        path: '/api/appointments',
        query: { ...query, clientId, from: from?.toISOString(), to: to?.toISOString() },
        fetch: (rows, after) => listAppointments(ctx, { from, to, clientId, rows, after }),
        toCursor,
      })
    },
  }),
  operation({
    ...appointments,
    method: 'post',
    path: '/appointments',
    summary: 'Schedule an appointment',
    description: 'With a client or with a prospect. It may overlap others, and be `completed` if it has started.',
    body: NewAppointment,
    answers: { 201: AppointmentOut },
    handle: (ctx, { body }) => addAppointment(ctx, body),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/today',
    summary: 'List the appointments of today',
    description: "Those that start today in the coach's time zone, including cancelled ones.",
    query: PageParams,
    answers: { 200: z.array(AppointmentOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/appointments/today',
        query,
        fetch: (rows, after) => listAppointments(ctx, { ...todayRange(ctx), rows, after }),
        toCursor,
      }),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/pending-summaries',
    summary: 'List completed sessions without a summary',
    description: 'Oldest first.',
    query: PageParams,
    answers: { 200: z.array(AppointmentOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/appointments/pending-summaries',
        query,
        fetch: (rows, after) => listAppointments(ctx, { pendingSummary: true, rows, after }),
        toCursor,
      }),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/{id}',
    summary: 'Get an appointment',
    answers: { 200: AppointmentOut },
    handle: (ctx, { params }) => getAppointment(ctx, params.id!),
  }),
  operation({
    ...appointments,
    method: 'patch',
    path: '/appointments/{id}',
    summary: 'Change an appointment',
    description:
      'Changes only the fields that are sent. A client replaces the prospect, and the other way round. ' +
      '`status: completed` after the start completes the session.',
    body: AppointmentEdit,
    answers: { 200: AppointmentOut },
    find: (ctx, { id }) => getAppointment(ctx, id!),
    handle: (ctx, { params, body }) => editAppointment(ctx, params.id!, body),
  }),
  operation({
    ...appointments,
    method: 'delete',
    path: '/appointments/{id}',
    summary: 'Move an appointment to the trash',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteAppointment(ctx, params.id!),
  }),
  operation({
    ...appointments,
    method: 'post',
    path: '/appointments/{id}/restore',
    summary: 'Restore an appointment from the trash',
    answers: { 200: AppointmentOut },
    handle: (ctx, { params }) => restoreAppointment(ctx, params.id!),
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
  operation({
    ...types,
    method: 'get',
    path: '/appointment-types',
    summary: 'List appointment types',
    query: PageParams,
    answers: { 200: z.array(AppointmentTypeOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/appointment-types',
        query,
        fetch: (rows, after) => listAppointmentTypes(ctx, { rows, after }),
        toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
      }),
  }),
  operation({
    ...types,
    method: 'post',
    path: '/appointment-types',
    summary: 'Add an appointment type',
    description: 'Names are unique, ignoring case: 409.',
    body: AppointmentTypeFields,
    answers: { 201: AppointmentTypeOut },
    handle: (ctx, { body }) => addType(ctx, body),
  }),
  operation({
    ...types,
    method: 'get',
    path: '/appointment-types/{id}',
    summary: 'Get an appointment type',
    answers: { 200: AppointmentTypeOut },
    handle: (ctx, { params }) => getAppointmentType(ctx, params.id!),
  }),
  operation({
    ...types,
    method: 'patch',
    path: '/appointment-types/{id}',
    summary: 'Rename an appointment type',
    body: AppointmentTypeEdit,
    answers: { 200: AppointmentTypeOut },
    find: (ctx, { id }) => getAppointmentType(ctx, id!),
    handle: (ctx, { params, body }) => editType(ctx, params.id!, body),
  }),
  operation({
    ...types,
    method: 'delete',
    path: '/appointment-types/{id}',
    summary: 'Move an appointment type to the trash',
    description: 'Its appointments stay, without a type.',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteType(ctx, params.id!),
  }),
  operation({
    ...types,
    method: 'post',
    path: '/appointment-types/{id}/restore',
    summary: 'Restore an appointment type from the trash',
    answers: { 200: AppointmentTypeOut },
    handle: (ctx, { params }) => restoreType(ctx, params.id!),
  }),
]

function parseClientId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new AppError('not_found', 'Client not found')
  return id
}
