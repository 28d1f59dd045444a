import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { maxAttachments, senders, type Sender } from './fields.ts'

const clients = { rows: `client_id = ${currentClient}`, writes: true } as const

/** A message of the coach or a client. */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'message',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    sender: p.text().$type<Sender>(),
    content: p.text(),
    readAt: p.datetime(3).nullable(),
    /** Set before the email about it is given to the mail server, so that none is sent twice. */
    notifiedAt: p.datetime(3).nullable(),
    ...searchColumn('content'),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('message_newest', '(coach_id, client_id, created_at desc, id desc)'),
    sqlIndex('message_unread', '(coach_id, client_id, sender) where read_at is null'),
  ],
  checks: [
    check('message_sender_allowed', allowedValues('sender', senders)),
    check('message_content_length', `content <> '' and ${maxLength('content', 5000)}`),
  ],
  ...tenantPolicy('message', { clients }),
})

/** A file that the coach sent with a message. Whether the client can open it is decided by its shares alone. */
export const MessageAttachment = defineEntity({
  name: 'MessageAttachment',
  tableName: 'message_attachment',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    message: () => tenantReference(Message, 'message_id', 'cascade'),
    position: p.smallint(),
    /** A record of another module, which may be missing, so there is no foreign key. */
    resourceId: p.bigint('number'),
  },
  indexes: [
    sqlIndex('message_attachment_position', '(coach_id, message_id, position)', { unique: true }),
    sqlIndex('message_attachment_resource', '(coach_id, message_id, resource_id)', { unique: true }),
  ],
  checks: [check('message_attachment_position_range', `position >= 1 and position <= ${maxAttachments}`)],
  ...tenantPolicy('message_attachment', {
    clients: {
      rows: `exists (
        select 1 from message m where m.coach_id = message_attachment.coach_id and m.id = message_attachment.message_id)`,
    },
  }),
})

/** The messages of a client: a copy of the latest one, and how many are unread. */
export const MessageThread = defineEntity({
  name: 'MessageThread',
  tableName: 'message_thread',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    lastMessageId: p.bigint('number'),
    lastSender: p.text().$type<Sender>(),
    /** Its beginning. */
    excerpt: p.text(),
    lastMessageAt: p.datetime(3),
    /** The client's messages that the coach hasn't read. */
    unreadByCoach: p.integer().default(0),
    unreadByClient: p.integer().default(0),
  },
  indexes: [
    sqlIndex('message_thread_client', '(coach_id, client_id)', { unique: true }),
    sqlIndex('message_thread_newest', '(coach_id, last_message_at desc, id desc)'),
  ],
  checks: [
    check('message_thread_last_sender_allowed', allowedValues('last_sender', senders)),
    check('message_thread_excerpt_length', maxLength('excerpt', 200)),
    check('message_thread_unread_range', 'unread_by_coach >= 0 and unread_by_client >= 0'),
  ],
  ...tenantPolicy('message_thread', { clients }),
})
