import { NoInput, publicFormActions } from '#modules/core/form-actions.server.ts'
import { messages } from './action-messages.ts'
import { checkNow } from './services/check.ts'
import { disconnect } from './services/disconnect.ts'

/** The forms of the card. Without a transaction of their own, since they call Zoom. */
export const settingsAction = publicFormActions(
  messages,
  {
    check: { schema: NoInput, run: (context) => checkNow(context.coach()) },
    disconnect: { schema: NoInput, run: (context) => disconnect(context.coach()) },
  },
  { home: '/settings/zoom', authorize: (context) => void context.coach() },
)
