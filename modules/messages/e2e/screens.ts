import { contextFor, getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { sendMessage } from '../services/messages.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** The client whose thread has long texts. */
    messageClient: number
  }
}

export const screens: Screen[] = [
  { name: 'client-messages', route: '/messages', path: '/messages', as: 'full' },
  { name: 'client-messages-empty', route: '/messages', path: '/messages', as: 'newcomer' },
  { name: 'client-messages-none-found', route: '/messages', path: '/messages?q=zzz', as: 'full' },
  { name: 'client-messages-new', route: '/messages', path: '/messages?dialog=new', as: 'full' },
  {
    name: 'client-messages-new-without-client',
    route: '/messages',
    path: '/messages?dialog=new&client=',
    as: 'newcomer',
  },
  {
    name: 'client-messages-thread',
    route: '/messages/:id',
    path: ({ messageClient }) => `/messages/${messageClient}`,
    as: 'full',
  },
  {
    name: 'client-messages-files',
    route: '/messages/:id',
    path: ({ messageClient }) => `/messages/${messageClient}`,
    as: 'full',
    setup: (page) => page.getByText('Attach resources').click(),
  },
  { name: 'portal-messages', route: '/portal/messages', path: '/portal/messages', as: 'client', host: 'full' },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const [client] = await getClients(full)
  for (const content of ['See you on Thursday', `${longText}\n\n${longText}`])
    await inTenant(full, (ctx) => sendMessage(ctx, client!.id, { content }))
  // The module that keeps files may be missing.
  const fileSharing = (await contextFor(full)).extensions.fileSharing
  await inTenant(full, async (ctx) => {
    const files = await fileSharing?.listChoices(ctx, { clientId: client!.id, q: '', rows: 2 })
    const attachmentIds = (files ?? []).map(({ id }) => id)
    await sendMessage(ctx, client!.id, { content: 'Please read these before we meet', attachmentIds })
  })
  return { messageClient: client!.id }
}
