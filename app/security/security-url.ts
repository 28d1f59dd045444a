import { enumParam, idParam, pageParam, patternParam, urlState } from '#app/lib/url.ts'

/** Both lists have this many rows on a page. */
export const pageSize = 20

const dialogs = ['set-up', 'renew-codes', 'turn-off', 'add-passkey'] as const
export type SecurityDialog = (typeof dialogs)[number]

/** `devices`, `activity`: the pages of the two lists. `sign-out`: the id of a session, or `others`. */
export const securityUrl = urlState('/security', {
  devices: pageParam,
  activity: pageParam,
  dialog: enumParam(dialogs),
  'remove-passkey': idParam,
  'sign-out': patternParam(/^([1-9]\d*|others)$/),
})
