import { z } from 'zod'
import { singleLine, emptyAsNull } from '#app/lib/zod-types.ts'
import { operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { ClientEdit, InteractionEdit, NewClient, NewInteraction } from './forms.ts'
import { listActivities } from './queries/activities.ts'
import { getClient, listClients } from './queries/clients.ts'
import { getInteraction, listInteractions } from './queries/interactions.ts'
import { ActivityOut, ClientOut, InteractionOut } from './output.ts'
import {
  addClient,
  archiveClient,
  deleteClient,
  editClient,
  restoreClient,
  unarchiveClient,
} from './services/clients.ts'
import { addInteraction, deleteInteraction, editInteraction, restoreInteraction } from './services/interactions.ts'

const clients = { tags: ['Clients'] }
const interactions = { tags: ['Interactions'] }
const interactionRef = ({ id, interactionId }: Record<string, number>) => ({ clientId: id!, id: interactionId! })
const edit = {
  ...clients,
  path: '/clients/{id}',
  description: 'Only the fields that are sent change; null clears an optional one.',
  body: ClientEdit,
  answers: { 200: ClientOut },
}

export const operations = [
  operation({
    ...clients,
    method: 'get',
    path: '/clients',
    summary: 'List clients',
    description: 'Newest first, without clients in the trash.',
    query: PageParams.extend({
      q: emptyAsNull(singleLine()).optional().describe('Part of a name or an email address.'),
      archived: z
        .enum(['true', 'false'], 'Use true or false')
        .optional()
        .describe('true: only archived clients; otherwise only active ones.'),
    }),
    answers: { 200: z.array(ClientOut) },
    handle: (ctx, { query, response }) => {
      const { q, archived, ...paging } = query
      return paginate(ctx, response, {
        path: '/api/clients',
        query: { ...paging, q: q ?? undefined, archived },
        fetch: (rows, after) => listClients(ctx, { q: q ?? undefined, archived: archived === 'true', rows, after }),
        toCursor: (client) => ({ at: client.createdAt, id: client.id }),
      })
    },
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients',
    summary: 'Add a client',
    description: 'Fails with plan_limit when the plan allows no other client.',
    body: NewClient,
    answers: { 201: ClientOut },
    handle: (ctx, { body }) => addClient(ctx, body),
  }),
  operation({
    ...clients,
    method: 'get',
    path: '/clients/{id}',
    summary: 'Get a client',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => getClient(ctx, params.id!),
  }),
  operation({
    ...edit,
    method: 'patch',
    summary: 'Update a client',
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, body }) => editClient(ctx, params.id!, body),
  }),
  operation({
    ...edit,
    method: 'put',
    summary: 'Update a client (same as PATCH)',
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, body }) => editClient(ctx, params.id!, body),
  }),
  operation({
    ...clients,
    method: 'delete',
    path: '/clients/{id}',
    summary: 'Move a client to the trash',
    description: 'Hides everything that belongs to the client. Permanently deleted after 30 days.',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/archive',
    summary: 'Archive a client',
    description: "Archived clients don't count toward the plan's limit.",
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => archiveClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/unarchive',
    summary: 'Unarchive a client',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => unarchiveClient(ctx, params.id!),
  }),
  operation({
    ...clients,
    method: 'post',
    path: '/clients/{id}/restore',
    summary: 'Restore a client from the trash',
    answers: { 200: ClientOut },
    handle: (ctx, { params }) => restoreClient(ctx, params.id!),
  }),
  operation({
    ...interactions,
    method: 'get',
    path: '/clients/{id}/interactions',
    summary: 'List the interactions of a client',
    description: 'Newest interactionDate first.',
    query: PageParams,
    answers: { 200: z.array(InteractionOut) },
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, query, response }) =>
      paginate(ctx, response, {
        path: `/api/clients/${params.id}/interactions`,
        query,
        fetch: (rows, after) => listInteractions(ctx, { clientId: params.id, rows, after }),
        toCursor: (interaction) => ({ at: interaction.interactionDate, id: interaction.id }),
      }),
  }),
  operation({
    ...interactions,
    method: 'post',
    path: '/clients/{id}/interactions',
    summary: 'Add an interaction',
    description: 'The client comes from the path; a clientId in the body is ignored. The source is manual.',
    body: NewInteraction,
    answers: { 201: InteractionOut },
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, body }) => addInteraction(ctx, params.id!, body),
  }),
  operation({
    ...interactions,
    method: 'get',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'Get an interaction',
    answers: { 200: InteractionOut },
    handle: async (ctx, { params }) => {
      const { version: _, ...interaction } = await getInteraction(ctx, interactionRef(params))
      return interaction
    },
  }),
  operation({
    ...interactions,
    method: 'patch',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'Update an interaction',
    description: 'Only the fields that are sent change; null clears the content.',
    body: InteractionEdit,
    answers: { 200: InteractionOut },
    find: (ctx, params) => getInteraction(ctx, interactionRef(params)),
    handle: (ctx, { params, body }) => editInteraction(ctx, interactionRef(params), body),
  }),
  operation({
    ...interactions,
    method: 'delete',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'Move an interaction to the trash',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteInteraction(ctx, interactionRef(params)),
  }),
  operation({
    ...interactions,
    method: 'post',
    path: '/clients/{id}/interactions/{interactionId}/restore',
    summary: 'Restore an interaction from the trash',
    answers: { 200: InteractionOut },
    handle: (ctx, { params }) => restoreInteraction(ctx, interactionRef(params)),
  }),
  operation({
    ...interactions,
    method: 'get',
    path: '/client-interactions',
    summary: 'List the interactions of all clients',
    description: 'Newest interactionDate first, without interactions of clients in the trash.',
    query: PageParams,
    answers: { 200: z.array(InteractionOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/client-interactions',
        query,
        fetch: (rows, after) => listInteractions(ctx, { rows, after }),
        toCursor: (interaction) => ({ at: interaction.interactionDate, id: interaction.id }),
      }),
  }),
  operation({
    tags: ['Activities'],
    method: 'get',
    path: '/activities',
    summary: 'List recent activities',
    description: 'Newest first, 50 unless a limit is sent.',
    query: PageParams,
    answers: { 200: z.array(ActivityOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/activities',
        query,
        defaultLimit: 50,
        fetch: (rows, after) => listActivities(ctx, { rows, after }),
        toCursor: (activity) => ({ at: activity.createdAt, id: activity.id }),
      }),
  }),
]
