import type { ActionMessages } from '#app/lib/action-messages.ts'
import { keepTyped } from './offline-action.ts'

/** The `clientAction` beside `formActions`: if the server can't be reached, keeps the page and what was typed, and shows `failed`. */
export const formClientAction = (messages: ActionMessages) =>
  keepTyped(Object.fromEntries(Object.entries(messages).map(([intent, { failed }]) => [intent, failed])))
