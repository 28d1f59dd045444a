import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { formatDateTime, formatRelative } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { deleteFeed, findFeed, renewFeed } from '../calendar-feed/feed.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Calendar Settings')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const feed = await findFeed(ctx)
  return {
    feed: feed && {
      showsDetails: feed.showsDetails,
      createdAt: formatDateTime(feed.createdAt, ctx.account),
      lastRead: feed.lastReadAt && formatRelative(feed.lastReadAt, ctx.now()),
    },
  }
}

const messages = {
  'renew-feed': { done: null, failed: 'Failed to make an address.' },
  'delete-feed': { done: 'The address no longer works', failed: 'Failed to delete the address.' },
}

export const action = formActions(
  messages,
  {
    'renew-feed': {
      schema: z.object({ content: z.enum(['details', 'busy']).default('details') }),
      run: async (ctx, { content }) =>
        success({ data: { address: await renewFeed(ctx, { showsDetails: content === 'details' }) } }),
    },
    'delete-feed': { schema: NoInput, run: deleteFeed },
  },
  { home: '/settings/calendar' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const crumbs = [{ label: 'Settings', to: '/settings' }, { label: 'Calendar' }]

export default function CalendarSettingsPage() {
  const { feed } = useLoaderData<typeof loader>()
  return (
    <Page title="Calendar" crumbs={crumbs}>
      <div className="grid max-w-[48rem] gap-6">
        <Card title="Subscribe">
          <Subscribe feed={feed} />
        </Card>
        <Card title="Import">
          <div className="grid justify-items-start gap-4 border-t border-line-soft px-5 py-5">
            <p className="text-ink-2">
              Bring what is in Google Calendar, Outlook or Apple Calendar: sessions with your clients, and the times in
              which you are busy.
            </p>
            <ButtonLink to="/settings/calendar/import">Import a Calendar</ButtonLink>
          </div>
        </Card>
        <Card title="Export">
          <div className="grid justify-items-start gap-4 border-t border-line-soft px-5 py-5">
            <p className="text-ink-2">
              All sessions: with status, place and answers as a file for spreadsheets, or as a calendar file for other
              calendars.
            </p>
            <div className="flex flex-wrap gap-3">
              <a className="btn btn-secondary" href="/calendar/export" download>
                Export Sessions
              </a>
              <a className="btn btn-secondary" href="/calendar/export.ics" download>
                Export Calendar File
              </a>
            </div>
          </div>
        </Card>
      </div>
    </Page>
  )
}

type Data = ReturnType<typeof useLoaderData<typeof loader>>

function Subscribe({ feed }: { feed: Data['feed'] }) {
  const { address } = useActionData<{ address?: string }>() ?? {}
  return (
    <div className="grid gap-4 border-t border-line-soft px-5 py-5">
      <p className="text-ink-2">
        Your phone and other calendars can show your sessions: subscribe to this secret address there. Google reads it
        about twice a day.
      </p>
      {address && (
        <label className="grid gap-1">
          <span className="font-medium">Your address</span>
          <input className="input" readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
          <span className="hint">Copy it now: it is not shown again. Anyone who has it can read this calendar.</span>
        </label>
      )}
      {feed && (
        <p className="text-ink-2">
          {feed.showsDetails ? 'With details' : 'Only when you are busy'}, made on {feed.createdAt}.{' '}
          {feed.lastRead ? `Last read: ${feed.lastRead}.` : 'Not read by a calendar yet.'}
        </p>
      )}
      <Form method="post" preventScrollReset className="grid gap-3">
        <input type="hidden" name="intent" value="renew-feed" />
        <fieldset className="flex flex-wrap gap-x-5">
          <legend className="sr-only">What it shows</legend>
          {[
            { value: 'details', label: 'Titles, descriptions and places' },
            { value: 'busy', label: 'Only when I am busy' },
          ].map(({ value, label }) => (
            <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2">
              <input
                type="radio"
                name="content"
                value={value}
                className="check"
                defaultChecked={(value === 'details') === (feed?.showsDetails ?? true)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary">
            {feed ? 'Make a new address' : 'Make an address'}
          </Button>
          {feed && <p className="hint self-center">The previous address stops working.</p>}
        </div>
      </Form>
      {feed && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="delete-feed" />
          <Button type="submit" variant="danger-ghost" className="-ml-2.5">
            Stop sharing
          </Button>
        </Form>
      )}
    </div>
  )
}
