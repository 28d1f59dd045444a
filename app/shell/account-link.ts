import type { LoadContext } from '#app/server/pages/load-context.ts'

export type AccountLink = { label: string; to: string }

export const visitorLink: AccountLink = { label: 'Sign In', to: '/auth' }
const clientLink: AccountLink = { label: 'Your Page', to: '/portal' }
const coachLink: AccountLink = { label: 'Dashboard', to: '/dashboard' }

/** Returns the link in the header of public pages: to where the person is signed in, or to the sign-in page. */
export async function getAccountLink(context: LoadContext): Promise<AccountLink> {
  if (context.account) return coachLink
  return context.tenant !== null && (await context.findClient()) !== null ? clientLink : visitorLink
}
