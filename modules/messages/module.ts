import { defineModule } from '../core/manifest.ts'
import { subscribe } from '../core/events.ts'
import { implementHook } from '../core/hooks.ts'
import { assertMerge, getClient, logActivity, recordsMoved } from '../crm/index.ts'
import { ignoreNotFound } from '#app/lib/errors.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { messageReceived } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { countUnread } from './queries/messages.ts'
import { Message, MessageAttachment, MessageThread } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { lockThreads, rebuildThreads } from './services/merge.ts'
import { notify, notifyQueue, type NotifyJob } from './services/notifications.ts'

export default defineModule({
  id: 'messages',
  dependsOn: ['crm', 'portal'],
  entities: [Message, MessageAttachment, MessageThread],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'messages', file: 'routes/messages.tsx' },
    { path: 'messages/:id', file: 'routes/thread.tsx' },
    { path: 'portal/messages', file: 'routes/portal-messages.tsx', layout: 'portal' },
  ],
  nav: [
    {
      label: 'Messages',
      to: '/messages',
      icon: 'messages',
      section: 'main',
      order: 25,
      permission: 'messages:message:read',
      badge: countUnread,
    },
  ],
  notifications: [
    {
      kind: 'messages.new',
      label: 'A client writes to you',
      description: 'One email about all messages that you haven’t read after five minutes.',
    },
  ],
  publishedEvents: [{ event: messageReceived, label: 'Message received' }],
  clientRecords: [
    { table: 'message', label: ['message', 'messages'] },
    // Made again from the messages.
    { table: 'message_thread', onMerge: 'stay' },
  ],
  search,
  contributions,
  subscribers: [
    subscribe('messages', messageReceived, async (ctx, { clientId }) => {
      const client = await getClient(ctx, clientId).catch(ignoreNotFound)
      if (client) await logActivity(ctx, { type: 'message_received', title: `Message from ${client.name}`, clientId })
    }),
  ],
  hooks: [implementHook('messages', assertMerge, lockThreads), implementHook('messages', recordsMoved, rebuildThreads)],
  jobs: [
    {
      name: notifyQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, data) => notify(platform, data as NotifyJob),
    },
  ],
  seed,
})
