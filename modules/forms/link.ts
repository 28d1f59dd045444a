import { signedLink } from '#tenants/signed-link.ts'

/** The page on which a client answers a form. */
export const formLink = signedLink('form', '/form/')
