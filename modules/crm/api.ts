import { z } from 'zod'
import { emptyAsNull, singleLine, tag } from '#app/lib/zod-types.ts'
import { operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { clientStatuses } from './fields.ts'
import { ClientEdit, InteractionEdit, NewClient, NewInteraction } from './forms.ts'
import { filtersPattern, parseFilters } from './list-state.ts'
import { listActivities } from './queries/activities.ts'
import { getClient, listClients } from './queries/clients.ts'
import { getInteraction, listInteractions } from './queries/interactions.ts'
import { listTags } from './queries/tags.ts'
import { ActivityOut, ClientOut, InteractionOut, type InteractionRecord } from './records.ts'
import {
  createClient,
  archiveClient,
  deleteClient,
  updateClient,
  restoreClient,
  unarchiveClient,
} from './services/clients.ts'
import { createInteraction, deleteInteraction, updateInteraction, restoreInteraction } from './services/interactions.ts'

const clients = resource({
  path: '/clients',
  noun: 'client',
  output: ClientOut,
  get: getClient,
  list: {
    description: 'Newest first, without clients in the trash.',
    query: z.object({
      q: emptyAsNull(singleLine()).optional().describe('Part of a name or an email address.'),
      archived: z
        .enum(['true', 'false'], 'Use true or false')
        .optional()
        .describe('true: only archived clients; otherwise only active ones.'),
      status: z.enum(clientStatuses, `Use one of ${clientStatuses.join(', ')}`).optional(),
      tag: tag().optional().describe('A tag, in any case.'),
      filters: z
        .string()
        .regex(filtersPattern, 'Use filters such as program.7, separated by commas')
        .transform(parseFilters)
        .optional()
        .describe(
          'Filters of modules as in the URL of the client list, separated by commas; all must match, and one that is ' +
            'not available matches nobody. `program.7`: a program from template 7 that is running. `product.7`: bought ' +
            'product 7. `next.none`, `next.scheduled`: without or with a session ahead.',
        ),
    }),
    run: (ctx, page, { archived, ...filter }) =>
      listClients(ctx, { ...page, ...filter, archived: archived === 'true' }),
  },
  create: {
    description: 'Fails with plan_limit when the plan allows no other client.',
    body: NewClient,
    run: createClient,
  },
  update: {
    description: 'Only the fields that are sent change; null clears an optional one.',
    body: ClientEdit,
    put: true,
    run: updateClient,
  },
  delete: {
    description: 'Hides everything that belongs to the client. Permanently deleted after 30 days.',
    run: deleteClient,
  },
  restore: restoreClient,
  actions: {
    archive: {
      summary: 'Archive a client',
      description: "Archived clients don't count toward the plan's limit.",
      run: archiveClient,
    },
    unarchive: { summary: 'Unarchive a client', run: unarchiveClient },
  },
})

const tags = ['Interactions']
const ofClient = { tags, path: `/clients/{id}/interactions` as const }
const single = { tags, path: `${ofClient.path}/{interactionId}` }
const toRef = ({ id, interactionId }: Record<string, number>) => ({ clientId: id!, id: interactionId! })
const toCursor = ({ interactionDate, id }: InteractionRecord) => ({ at: interactionDate, id })

const interactions = [
  listOperation({
    ...ofClient,
    summary: 'List the interactions of a client',
    description: 'Newest interactionDate first.',
    output: InteractionOut,
    find: (ctx, { id }) => getClient(ctx, id!),
    run: (ctx, page, _query, { id }) => listInteractions(ctx, { ...page, clientId: id }),
    toCursor,
  }),
  listOperation({
    tags,
    path: '/client-interactions',
    summary: 'List the interactions of all clients',
    description: 'Newest interactionDate first, without interactions of clients in the trash.',
    output: InteractionOut,
    run: listInteractions,
    toCursor,
  }),
  operation({
    ...ofClient,
    method: 'post',
    summary: 'Add an interaction',
    description: 'The client comes from the path; a clientId in the body is ignored. The source is manual.',
    body: NewInteraction,
    answers: { 201: InteractionOut },
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, body }) => createInteraction(ctx, params.id!, body),
  }),
  operation({
    ...single,
    method: 'get',
    summary: 'Get an interaction',
    answers: { 200: InteractionOut },
    handle: async (ctx, { params }) => {
      const { version: _, ...record } = await getInteraction(ctx, toRef(params))
      return record
    },
  }),
  operation({
    ...single,
    method: 'patch',
    summary: 'Update an interaction',
    description: 'Only the fields that are sent change; null clears the content.',
    body: InteractionEdit,
    answers: { 200: InteractionOut },
    find: (ctx, params) => getInteraction(ctx, toRef(params)),
    handle: (ctx, { params, body }) => updateInteraction(ctx, toRef(params), body),
  }),
  operation({
    ...single,
    method: 'delete',
    summary: 'Move an interaction to the trash',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteInteraction(ctx, toRef(params)),
  }),
  operation({
    ...single,
    path: `${single.path}/restore`,
    method: 'post',
    summary: 'Restore an interaction from the trash',
    answers: { 200: InteractionOut },
    handle: (ctx, { params }) => restoreInteraction(ctx, toRef(params)),
  }),
]

const activities = listOperation({
  tags: ['Activities'],
  path: '/activities',
  summary: 'List recent activities',
  description: 'Newest first, 50 unless a limit is sent.',
  output: ActivityOut,
  defaultLimit: 50,
  run: listActivities,
  toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
})

const clientTags = operation({
  tags: ['Clients'],
  method: 'get',
  path: '/client-tags',
  summary: 'List the tags of clients',
  description: 'The 500 most used, by name, each with the number of clients outside the trash that have it.',
  answers: { 200: z.object({ tags: z.array(z.object({ tag: z.string(), clients: z.int() })) }) },
  handle: async (ctx) => ({ tags: await listTags(ctx) }),
})

export const operations = [...clients, clientTags, ...interactions, activities]
