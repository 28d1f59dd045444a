import { z } from 'zod'
import { line, optional } from '#app/lib/text.ts'
import { operation } from '#tenants/operation.ts'
import { paged, Paging } from '#tenants/paging.ts'
import { ClientEdit, NewClient } from './forms.ts'
import { activitiesNewestFirst } from './queries/activities.ts'
import { clientOf, clientsNewestFirst } from './queries/clients.ts'
import { ActivityOut, ClientOut } from './record.ts'
import { addClient, archiveClient, deleteClient, editClient, restoreClient, unarchiveClient } from './services/clients.ts'

const clients = { tags: ['Clients'] }
const edit = {
  ...clients,
  path: '/clients/{id}',
  description: 'Only the fields that are sent change; null empties an optional one.',
  body: ClientEdit,
  answers: { 200: ClientOut },
}

export const operations = [
  operation({
    ...clients,
    method: 'get',
    path: '/clients',
    summary: 'List clients',
    description: 'Newest first, without those in the trash.',
    query: Paging.extend({
      q: optional(line()).optional().describe('Part of a name or an e-mail address.'),
      archived: z.enum(['true', 'false'], 'Use true or false').optional().describe('true: the archived ones instead of the others.'),
    }),
    answers: { 200: z.array(ClientOut) },
    handle: (ctx, { query, sent }) => {
      const { q, archived, ...paging } = query
      return paged(ctx, sent, {
        path: '/api/clients',
        query: { ...paging, q: q ?? undefined, archived },
        fetch: (rows, after) => clientsNewestFirst(ctx, { q: q ?? undefined, archived: archived === 'true', rows, after }),
        place: (client) => ({ at: client.createdAt, id: client.id }),
      })
    },
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients',
    summary: 'Add a client',
    description: 'Refused with plan_limit when the plan takes no other client.',
    body: NewClient,
    answers: { 201: ClientOut },
    handle: (ctx, { body }) => addClient(ctx, body),
  }),
  operation({
    ...clients,
    method: 'get',
    path: '/clients/{id}',
    summary: 'A client',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => clientOf(ctx, params.id!),
  }),
  operation({
    ...edit,
    method: 'patch',
    summary: 'Change a client',
    find: (ctx, { id }) => clientOf(ctx, id!),
    handle: (ctx, { params, body }) => editClient(ctx, params.id!, body),
  }),
  operation({
    ...edit,
    method: 'put',
    summary: 'Change a client (as PATCH)',
    find: (ctx, { id }) => clientOf(ctx, id!),
    handle: (ctx, { params, body }) => editClient(ctx, params.id!, body),
  }),
  operation({
    ...clients,
    method: 'delete',
    path: '/clients/{id}',
    summary: 'Move a client to the trash',
    description: 'What belongs to the client is hidden with it. It is erased after 30 days.',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/archive',
    summary: 'Archive a client',
    description: "An archived client doesn't count for the plan.",
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => archiveClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/unarchive',
    summary: 'Bring a client back from the archive',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => unarchiveClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/restore',
    summary: 'Take a client out of the trash',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => restoreClient(ctx, params.id!),
  }),
  operation({
    tags: ['Activities'],
    method: 'get',
    path: '/activities',
    summary: 'What happened lately',
    description: 'Newest first, 50 unless a limit is sent.',
    query: Paging,
    answers: { 200: z.array(ActivityOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/activities',
        query,
        usual: 50,
        fetch: (rows, after) => activitiesNewestFirst(ctx, { rows, after }),
        place: (activity) => ({ at: activity.createdAt, id: activity.id }),
      }),
  }),
]
