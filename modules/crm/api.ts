import { z } from 'zod'
import { line, optional } from '#app/lib/zod-types.ts'
import { operation } from '#tenants/api/operation.ts'
import { paged, Paging } from '#tenants/api/cursor.ts'
import { ClientEdit, InteractionEdit, NewClient, NewInteraction } from './forms.ts'
import { activitiesNewestFirst } from './queries/activities.ts'
import { clientOf, clientsNewestFirst } from './queries/clients.ts'
import { interactionOf, interactionsNewestFirst } from './queries/interactions.ts'
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
const ofClient = ({ id, interactionId }: Record<string, number>) => ({ clientId: id!, id: interactionId! })
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
      archived: z
        .enum(['true', 'false'], 'Use true or false')
        .optional()
        .describe('true: the archived ones instead of the others.'),
    }),
    answers: { 200: z.array(ClientOut) },
    handle: (ctx, { query, sent }) => {
      const { q, archived, ...paging } = query
      return paged(ctx, sent, {
        path: '/api/clients',
        query: { ...paging, q: q ?? undefined, archived },
        fetch: (rows, after) =>
          clientsNewestFirst(ctx, { q: q ?? undefined, archived: archived === 'true', rows, after }),
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
    ...interactions,
    method: 'get',
    path: '/clients/{id}/interactions',
    summary: 'List the interactions of a client',
    description: 'The newest interactionDate first.',
    query: Paging,
    answers: { 200: z.array(InteractionOut) },
    find: (ctx, { id }) => clientOf(ctx, id!),
    handle: (ctx, { params, query, sent }) =>
      paged(ctx, sent, {
        path: `/api/clients/${params.id}/interactions`,
        query,
        fetch: (rows, after) => interactionsNewestFirst(ctx, { clientId: params.id, rows, after }),
        place: (interaction) => ({ at: interaction.interactionDate, id: interaction.id }),
      }),
  }),
  operation({
    ...interactions,
    method: 'post',
    path: '/clients/{id}/interactions',
    summary: 'Add an interaction',
    description: "Of the path's client, whatever the body says. The source is manual.",
    body: NewInteraction,
    answers: { 201: InteractionOut },
    find: (ctx, { id }) => clientOf(ctx, id!),
    handle: (ctx, { params, body }) => addInteraction(ctx, params.id!, body),
  }),
  operation({
    ...interactions,
    method: 'get',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'An interaction',
    answers: { 200: InteractionOut },
    handle: async (ctx, { params }) => {
      const { version: _, ...interaction } = await interactionOf(ctx, ofClient(params))
      return interaction
    },
  }),
  operation({
    ...interactions,
    method: 'patch',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'Change an interaction',
    description: 'Only the fields that are sent change; null empties the content.',
    body: InteractionEdit,
    answers: { 200: InteractionOut },
    find: (ctx, params) => interactionOf(ctx, ofClient(params)),
    handle: (ctx, { params, body }) => editInteraction(ctx, ofClient(params), body),
  }),
  operation({
    ...interactions,
    method: 'delete',
    path: '/clients/{id}/interactions/{interactionId}',
    summary: 'Move an interaction to the trash',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteInteraction(ctx, ofClient(params)),
  }),
  operation({
    ...interactions,
    method: 'post',
    path: '/clients/{id}/interactions/{interactionId}/restore',
    summary: 'Take an interaction out of the trash',
    answers: { 200: InteractionOut },
    handle: (ctx, { params }) => restoreInteraction(ctx, ofClient(params)),
  }),
  operation({
    ...interactions,
    method: 'get',
    path: '/client-interactions',
    summary: 'List the interactions of all clients',
    description: 'The newest interactionDate first, without those of clients in the trash.',
    query: Paging,
    answers: { 200: z.array(InteractionOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/client-interactions',
        query,
        fetch: (rows, after) => interactionsNewestFirst(ctx, { rows, after }),
        place: (interaction) => ({ at: interaction.interactionDate, id: interaction.id }),
      }),
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
