import type { Contribution, PortalLink, PublicLink } from '#modules/core/manifest.ts'
import type { ClientLink } from '#modules/crm/index.ts'
import { accountPath } from './paths.ts'

const signInLink: PublicLink = { label: 'Client Sign-In', to: '/portal' }
const accountPage: PortalLink = { label: 'Account', to: accountPath }
const clientLinks: ClientLink[] = [
  { label: 'Portal', icon: 'house', to: '/clients/{id}/portal', placement: 'menu-and-details' },
]

export const contributions: Contribution[] = [
  // The last of the buttons: visitors book and buy, clients know where to look.
  { slot: 'home.link', order: 900, load: async () => signInLink },
  { slot: 'client.menu', order: 60, permission: 'portal:access:read', load: async () => clientLinks },
  { slot: 'portal.page', order: 900, permission: 'client:passkey:write', load: async () => accountPage },
]
