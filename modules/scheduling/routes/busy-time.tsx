import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { formatDate, localDate } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { getImportedTime } from '../calendar-import/queries.ts'
import { removeImportedTime, restoreImportedTime } from '../calendar-import/service.ts'
import { formatDateTimeRange, formatDays } from '../format.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Busy time')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { timezone } = ctx.account
  const { id, title, start, end, isAllDay, fileName, importedAt } = await getImportedTime(ctx, parseId(params.id))
  const today = localDate(ctx.now(), timezone)
  return {
    id,
    title,
    date: localDate(start, timezone),
    when: isAllDay ? formatDays(start, end, timezone, today) : formatDateTimeRange(start, end, ctx.account, today),
    fileName,
    importedOn: formatDate(importedAt, timezone),
  }
}

const messages = {
  remove: { done: { title: 'Busy time removed' }, failed: 'The busy time could not be removed.' },
  restore: { done: { title: 'Busy time restored' }, failed: 'The busy time could not be restored.' },
}

export const action = formActions(
  messages,
  {
    remove: {
      schema: ById,
      run: async (ctx, { id }) => {
        const { start } = await getImportedTime(ctx, id)
        await removeImportedTime(ctx, id)
        const undo = { label: 'Undo', to: `/calendar/busy/${id}`, fields: { intent: 'restore', id: String(id) } }
        return success({ to: `/calendar?date=${localDate(start, ctx.account.timezone)}`, toast: { action: undo } })
      },
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreImportedTime(ctx, id), to: ({ page }) => page },
  },
  { home: '/calendar' },
)

export const clientAction = formClientAction(messages)

export default function BusyTimePage() {
  const { id, title, date, when, fileName, importedOn } = useLoaderData<typeof loader>()
  return (
    <Page
      title={title}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Calendar', to: `/calendar?date=${date}` },
        { label: 'Busy time' },
      ]}
    >
      <Card title={when} className="max-w-[40rem]">
        <div className="grid gap-4 border-t border-line-soft px-5 py-5">
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            Nobody can book you at this time. Imported from {fileName} on {importedOn}.
          </p>
          <Form method="post">
            <input type="hidden" name="intent" value="remove" />
            <input type="hidden" name="id" value={id} />
            <Button type="submit" variant="danger-ghost" className="-ml-2.5">
              Remove
            </Button>
          </Form>
        </div>
      </Card>
    </Page>
  )
}
