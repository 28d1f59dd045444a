import { getClient } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { listOperation } from '#tenants/api/resource.ts'
import { NewMessage } from './forms.ts'
import { listMessages } from './queries/messages.ts'
import { MessageOut } from './records.ts'
import { sendMessage } from './services/messages.ts'

const ofClient = { tags: ['Messages'], path: '/clients/{id}/messages' as const }

export const operations = [
  listOperation({
    ...ofClient,
    summary: 'List the messages with a client',
    description: 'Newest first.',
    output: MessageOut,
    run: (ctx, page, _query, { id }) => listMessages(ctx, { ...page, clientId: id! }),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
  operation({
    ...ofClient,
    method: 'post',
    summary: 'Write to a client',
    description: 'The client gets an email after five minutes, unless they have read it in the portal by then.',
    body: NewMessage,
    answers: { 201: MessageOut },
    find: (ctx, { id }) => getClient(ctx, id!),
    handle: (ctx, { params, body }) => sendMessage(ctx, params.id!, body),
  }),
]
