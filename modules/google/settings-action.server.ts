import { z } from 'zod'
import { parseId } from '#app/lib/url.ts'
import { ById, NoInput, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { messages } from './action-messages.ts'
import { chooseCalendars } from './services/calendars.ts'
import { settingsPage as page } from './connect-result.ts'
import { addMeetLink } from './services/meet.ts'
import { disconnect } from './services/disconnect.ts'
import { checkMeet, disconnectMeet } from './services/meet-connection.ts'
import { syncNow } from './services/sync-now.ts'

const CalendarsForm = z.object({
  target: z.string().default(''),
  meet: z.string().default(''),
})

/** The forms of the card and of its page. Without a transaction of their own, since they call Google. */
export const settingsAction = publicFormActions(
  messages,
  {
    sync: { schema: NoInput, run: (context) => syncNow(context.coach()) },
    disconnect: { schema: NoInput, run: (context) => disconnect(context.coach()) },
    'check-meet': { schema: NoInput, run: (context) => checkMeet(context.coach()) },
    'disconnect-meet': { schema: NoInput, run: (context) => context.write(disconnectMeet) },
    'add-meet': {
      schema: ById,
      // The page that sent it keeps its dialog.
      to: ({ page }) => page,
      run: async (context, { id }) => {
        const isAdded = await addMeetLink(context.coach(), id)
        if (!isAdded) return success({ toast: { title: 'The Meet link follows as soon as Google can be reached.' } })
      },
    },
    save: {
      schema: CalendarsForm,
      to: () => page,
      run: (context, { target, meet }, { form }) =>
        context.write((tx) =>
          chooseCalendars(tx, {
            targetId: target === '' ? null : parseId(target),
            // A checkbox for each calendar: of fields with one name only the first one is read.
            blockingIds: [...form.keys()].flatMap((name) => /^blocking-(\d+)$/.exec(name)?.[1] ?? []).map(parseId),
            addsMeetLinks: meet === 'yes',
          }),
        ),
    },
  },
  { home: page, authorize: (context) => void context.coach() },
)
