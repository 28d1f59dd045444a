import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { loadImport } from '../calendar-import/loader.server.ts'
import { cancelImport, runImport } from '../calendar-import/service.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Import a Calendar')

export async function loader({ params, context }: LoaderFunctionArgs) {
  return loadImport(context.coach(), parseId(params.id))
}

const messages = {
  import: { done: { title: 'Calendar imported' }, failed: 'The calendar could not be imported.' },
  cancel: { done: null, failed: 'The import could not be cancelled.' },
}
const listUrl = '/settings/calendar/import'

export const action = formActions(
  messages,
  {
    import: {
      schema: ById,
      run: async (ctx, { id }) => {
        await runImport(ctx, id)
        const undo = { label: 'Undo', to: listUrl, fields: { intent: 'undo', id: String(id) } }
        return success({ to: `${listUrl}/${id}`, toast: { action: undo } })
      },
    },
    cancel: { schema: ById, run: (ctx, { id }) => cancelImport(ctx, id), to: () => listUrl },
  },
  { home: listUrl },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function CalendarImportPreviewPage() {
  const { fileName, isFinished, added, groups, leftOut, unknownZones, ...data } = useLoaderData<typeof loader>()
  return (
    <Page
      title={fileName}
      crumbs={[
        { label: 'Settings', to: '/settings' },
        { label: 'Calendar', to: '/settings/calendar' },
        { label: 'Import', to: listUrl },
        { label: 'Preview' },
      ]}
      description={`${isFinished ? 'Added' : 'To be added'}: ${added}.`}
    >
      <div className="grid max-w-[48rem] gap-6">
        {unknownZones.length > 0 && (
          <p className="card px-5 py-4">
            These time zones are not known, so their times are taken as yours: {unknownZones.join(', ')}.
          </p>
        )}
        {groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
        {groups.length === 0 && <p className="card px-5 py-5 text-ink-2">There is nothing to add from this file.</p>}
        {leftOut.length > 0 && (
          <Card title="Left out">
            <ul aria-label="Left out" className="grid gap-1 border-t border-line-soft px-5 py-4 text-ink-2">
              {leftOut.map(({ label, count }) => (
                <li key={label} className="num">
                  {count.toLocaleString('en-US')} {label}
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Buttons id={data.id} isFinished={isFinished} isEmpty={groups.length === 0} />
      </div>
    </Page>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function Group({ title, text, count, rows }: Loaded['groups'][number]) {
  const listed = rows.reduce((sum, row) => sum + row.count, 0)
  return (
    <Card title={`${title} (${count.toLocaleString('en-US')})`}>
      <p className="px-5 pb-3 text-sm text-ink-3">{text}</p>
      <ul aria-label={title} className="rows border-t border-line-soft">
        {rows.map((row, index) => (
          <li key={index} className="px-5 py-2.5">
            <span className="block font-medium [overflow-wrap:anywhere]">
              {row.title}
              {row.clientName && <span className="font-normal text-ink-2">, with {row.clientName}</span>}
            </span>
            <span className="num block text-sm text-ink-3">
              {row.when}
              {row.count > 1 && `, and ${(row.count - 1).toLocaleString('en-US')} more`}
            </span>
          </li>
        ))}
      </ul>
      {listed < count && (
        <p className="border-t border-line-soft px-5 py-3 text-sm text-ink-3">
          And {(count - listed).toLocaleString('en-US')} others.
        </p>
      )}
    </Card>
  )
}

function Buttons({ id, isFinished, isEmpty }: { id: number; isFinished: boolean; isEmpty: boolean }) {
  if (isFinished)
    return (
      <p>
        <Link to="/calendar" className="link">
          Open the calendar
        </Link>
      </p>
    )
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <IntentForm id={id} intent="cancel" label="Cancel" busyLabel="Cancelling..." />
      {!isEmpty && <IntentForm id={id} intent="import" label="Import" busyLabel="Importing..." isPrimary />}
    </div>
  )
}

type IntentFormProps = { id: number; intent: string; label: string; busyLabel: string; isPrimary?: boolean }

function IntentForm({ id, intent, label, busyLabel, isPrimary = false }: IntentFormProps) {
  const { busy } = useServerForm({}, { id: intent, intent })
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant={isPrimary ? 'primary' : 'secondary'} busy={busy} busyLabel={busyLabel}>
        {label}
      </Button>
    </Form>
  )
}
