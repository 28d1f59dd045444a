import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { messages } from '../action-messages.ts'
import { getCard, getMeetCard } from '../contributions.ts'
import { settingsAction } from '../settings-action.server.ts'
import { findConnection } from '../queries/connection.ts'
import { listCalendars } from '../services/calendars.ts'
import GoogleCalendarCard from '../widgets/google-calendar.tsx'
import GoogleMeetCard from '../widgets/google-meet.tsx'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Google Calendar')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const [card, meet, connection, calendars] = await Promise.all([
    getCard(ctx),
    getMeetCard(ctx),
    findConnection(ctx),
    listCalendars(ctx),
  ])
  return {
    card,
    meet,
    addsMeetLinks: connection?.addsMeetLinks ?? false,
    calendars: calendars.map(({ id, name, canWrite, blocks, isTarget }) => ({ id, name, canWrite, blocks, isTarget })),
  }
}

export const action = settingsAction

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const crumbs = [{ label: 'Settings', to: '/settings' }, { label: 'Google Calendar' }]

export default function GoogleSettingsPage() {
  const { card, meet, calendars, addsMeetLinks } = useLoaderData<typeof loader>()
  return (
    <Page title="Google Calendar" crumbs={crumbs}>
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        <GoogleCalendarCard data={card} withCalendars />
        {card.connection && card.hasPlan && (
          <Card title="Calendars">
            <CalendarsForm calendars={calendars} addsMeetLinks={addsMeetLinks} />
          </Card>
        )}
        <GoogleMeetCard data={meet} />
      </div>
    </Page>
  )
}

type Data = Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'calendars' | 'addsMeetLinks'>

function CalendarsForm({ calendars, addsMeetLinks }: Data) {
  const isSaving = useNavigation().formData?.get('intent') === 'save'
  const target = calendars.find(({ isTarget }) => isTarget)?.id ?? ''
  return (
    <Form
      method="post"
      preventScrollReset
      className="grid grid-cols-[minmax(0,1fr)] gap-5 border-t border-line-soft px-5 py-5"
    >
      <input type="hidden" name="intent" value="save" />
      <div className="field">
        <label className="label" htmlFor="google-target">
          Write my sessions to
        </label>
        <select key={target} id="google-target" name="target" className="input select" defaultValue={target}>
          <option value="">No calendar</option>
          {calendars
            .filter(({ canWrite }) => canWrite)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
        <p className="hint">
          What you move or delete there moves or cancels the session here, and the other way round.
        </p>
      </div>
      <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
        <legend className="label">I am busy when these have an event</legend>
        {calendars.map(({ id, name, blocks }) => (
          <label key={id} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input type="checkbox" name={`blocking-${id}`} value="yes" className="check" defaultChecked={blocks} />
            <span className="min-w-0 truncate">{name}</span>
          </label>
        ))}
        <p className="hint">Visitors can’t book these times. Titles are not stored.</p>
      </fieldset>
      <fieldset className="grid">
        <legend className="label">Google Meet</legend>
        <label className="flex min-h-11 cursor-pointer items-center gap-2">
          <input type="checkbox" name="meet" value="yes" className="check" defaultChecked={addsMeetLinks} />
          Make a Meet link for each session without a place
        </label>
      </fieldset>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={isSaving} busyLabel="Saving...">
          Save
        </Button>
      </div>
    </Form>
  )
}
