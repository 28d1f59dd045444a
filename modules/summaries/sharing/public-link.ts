import { signedLink } from '#tenants/signed-link.ts'

/** The page of a shared summary. */
export const summaryLink = signedLink('summary', '/summary/')
