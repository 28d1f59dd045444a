import type { ActionMessages } from '#app/lib/action-messages.ts'
import { keepFormOnFailure } from './offline-action.ts'

/**
 * The `clientAction` for `formActions`. Keeps the page and its input if the server can't be reached, and shows
 * `failed`.
 */
export const formClientAction = (messages: ActionMessages) =>
  keepFormOnFailure(Object.fromEntries(Object.entries(messages).map(([intent, { failed }]) => [intent, failed])))
