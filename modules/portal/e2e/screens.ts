import { getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { createLink } from '../services/sign-in-email.ts'
import { insertPasskey } from './factories.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** The client who is signed in to the portal. */
    portalClient: number
    /** The path of a link that still works. */
    portalLink: string
  }
}

export const screens: Screen[] = [
  { name: 'portal', route: '/portal', path: '/portal', as: 'client', host: 'full' },
  { name: 'portal-account', route: '/portal/account', path: '/portal/account', as: 'client', host: 'full' },
  { name: 'portal-sign-in', route: '/portal/sign-in', path: '/portal/sign-in', as: 'visitor', host: 'full' },
  {
    name: 'portal-sign-in-sent',
    route: '/portal/sign-in',
    path: '/portal/sign-in?sent',
    as: 'visitor',
    host: 'limited',
  },
  {
    name: 'portal-link',
    route: '/portal/sign-in/:token',
    path: ({ portalLink }) => portalLink,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'portal-link-ended',
    route: '/portal/sign-in/:token',
    path: '/portal/sign-in/x',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'portal-access',
    route: '/clients/:id/portal',
    path: ({ portalClient }) => `/clients/${portalClient}/portal`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const [client] = await getClients(full)
  const { hostname } = new URL(full.origin)
  const token = await inTenant(full, (ctx) =>
    createLink(ctx, { ...client!, email: client!.email.toLowerCase() }, { host: hostname, isInvitation: true }),
  )
  await inTenant(full, async (ctx) => {
    for (const name of ['Phone', longText]) await insertPasskey(ctx, client!.id, name.slice(0, 60))
  })
  return { portalClient: client!.id, portalLink: `/portal/sign-in/${token}` }
}
