import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { clientOf } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { paged, Paging } from '#tenants/api/cursor.ts'
import { instant } from '#app/lib/zod-types.ts'
import { AppointmentEdit, AppointmentTypeEdit, AppointmentTypeFields, Completion, NewAppointment } from './forms.ts'
import { appointmentOf, appointmentsByStart, today } from './queries/appointments.ts'
import { typeOf, typesNewestFirst } from './queries/types.ts'
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
const placeOf = ({ startTime, id }: AppointmentRecord) => ({ at: startTime, id })
const bound = (what: string) =>
  instant('Send a time').optional().meta({ type: 'string', format: 'date-time', description: what })

export const operations = [
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments',
    summary: 'List appointments',
    description: 'By the time at which they start, the earliest first.',
    query: Paging.extend({
      from: bound('Those that start then or later.'),
      to: bound('Those that start before.'),
      clientId: z.string().optional().describe("One client's."),
    }),
    answers: { 200: z.array(AppointmentOut) },
    handle: async (ctx, { query: { clientId: asked, from, to, ...query }, sent }) => {
      const clientId = asked === undefined ? undefined : (await clientOf(ctx, wantedId(asked))).id
      return paged(ctx, sent, {
        path: '/api/appointments',
        query: { ...query, clientId, from: from?.toISOString(), to: to?.toISOString() },
        fetch: (rows, after) => appointmentsByStart(ctx, { from, to, clientId, rows, after }),
        place: placeOf,
      })
    },
  }),
  operation({
    ...appointments,
    method: 'post',
    path: '/appointments',
    summary: 'Schedule an appointment',
    description:
      'With a client or with a prospect. It may overlap others. One that has begun may be added as `completed`.',
    body: NewAppointment,
    answers: { 201: AppointmentOut },
    handle: (ctx, { body }) => addAppointment(ctx, body),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/today',
    summary: "The appointments of the coach's day",
    description: "That start on it in the coach's time zone, cancelled ones too.",
    query: Paging,
    answers: { 200: z.array(AppointmentOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/appointments/today',
        query,
        fetch: (rows, after) => appointmentsByStart(ctx, { ...today(ctx), rows, after }),
        place: placeOf,
      }),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/pending-summaries',
    summary: 'Completed sessions that have no summary',
    description: 'The oldest first.',
    query: Paging,
    answers: { 200: z.array(AppointmentOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/appointments/pending-summaries',
        query,
        fetch: (rows, after) => appointmentsByStart(ctx, { pendingSummary: true, rows, after }),
        place: placeOf,
      }),
  }),
  operation({
    ...appointments,
    method: 'get',
    path: '/appointments/{id}',
    summary: 'An appointment',
    answers: { 200: AppointmentOut },
    handle: (ctx, { params }) => appointmentOf(ctx, params.id!),
  }),
  operation({
    ...appointments,
    method: 'patch',
    path: '/appointments/{id}',
    summary: 'Change an appointment',
    description:
      'Only the fields that are sent change; a client takes the place of a prospect, and the other way round. `status: completed` after the start completes the session.',
    body: AppointmentEdit,
    answers: { 200: AppointmentOut },
    find: (ctx, { id }) => appointmentOf(ctx, id!),
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
    summary: 'Take an appointment out of the trash',
    answers: { 200: AppointmentOut },
    handle: (ctx, { params }) => restoreAppointment(ctx, params.id!),
  }),
  operation({
    ...appointments,
    method: 'post',
    path: '/appointments/{id}/complete',
    summary: 'Mark a session as held',
    description:
      'Once: again it answers the same. `notes` (light markup) become an interaction of the client. Before the start, or cancelled: 409.',
    body: Completion,
    answers: { 200: CompletedOut },
    find: (ctx, { id }) => appointmentOf(ctx, id!),
    // No transcription is connected, so no summary is on its way.
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
    query: Paging,
    answers: { 200: z.array(AppointmentTypeOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/appointment-types',
        query,
        fetch: (rows, after) => typesNewestFirst(ctx, { rows, after }),
        place: ({ createdAt, id }) => ({ at: createdAt, id }),
      }),
  }),
  operation({
    ...types,
    method: 'post',
    path: '/appointment-types',
    summary: 'Add an appointment type',
    description: 'Names are unique, in whatever case: 409.',
    body: AppointmentTypeFields,
    answers: { 201: AppointmentTypeOut },
    handle: (ctx, { body }) => addType(ctx, body),
  }),
  operation({
    ...types,
    method: 'get',
    path: '/appointment-types/{id}',
    summary: 'An appointment type',
    answers: { 200: AppointmentTypeOut },
    handle: (ctx, { params }) => typeOf(ctx, params.id!),
  }),
  operation({
    ...types,
    method: 'patch',
    path: '/appointment-types/{id}',
    summary: 'Rename an appointment type',
    body: AppointmentTypeEdit,
    answers: { 200: AppointmentTypeOut },
    find: (ctx, { id }) => typeOf(ctx, id!),
    handle: (ctx, { params, body }) => editType(ctx, params.id!, body),
  }),
  operation({
    ...types,
    method: 'delete',
    path: '/appointment-types/{id}',
    summary: 'Move an appointment type to the trash',
    description: 'Its appointments keep going without one.',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteType(ctx, params.id!),
  }),
  operation({
    ...types,
    method: 'post',
    path: '/appointment-types/{id}/restore',
    summary: 'Take an appointment type out of the trash',
    answers: { 200: AppointmentTypeOut },
    handle: (ctx, { params }) => restoreType(ctx, params.id!),
  }),
]

function wantedId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new AppError('not_found', 'Client not found')
  return id
}
