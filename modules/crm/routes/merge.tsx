import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { ArrowLeftRight, Merge } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { describeLoadError } from '../components/client-error.tsx'
import { ChooseClient } from '../components/choose-client.tsx'
import { FieldChoice } from '../components/field-choice.tsx'
import { MergeForm } from '../forms.ts'
import { mergeFields } from '../merge-fields.ts'
import { loadMergePage } from '../merge-loader.server.ts'
import { mergeClients } from '../services/merge.ts'

export { ErrorBoundary } from '../components/client-error.tsx'
export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data ? `Merge ${data.kept.name}` : describeLoadError(error).title)

export const loader = ({ request, params, context }: LoaderFunctionArgs) =>
  loadMergePage(context.coach(), parseId(params.id), new URL(request.url).searchParams)

const messages = {
  merge: { done: 'Clients merged. The other one is in the trash.', failed: 'Failed to merge the clients.' },
}

export const action = formActions(
  messages,
  {
    merge: {
      schema: MergeForm,
      run: async (ctx, { with: mergedId, keptVersion, mergedVersion, ...sources }, { params }) => {
        const keptId = parseId(params.id)
        if (!keptId) throw new AppError('not_found', 'Client not found', { subject: 'client' })
        await mergeClients(ctx, { keptId, mergedId, sources, keptVersion, mergedVersion })
        return success({
          to: `/clients/${keptId}`,
          toast: { action: { label: 'Undo', to: '/clients', fields: { intent: 'restore', id: String(mergedId) } } },
        })
      },
    },
  },
  { home: '/clients' },
)

export const clientAction = formClientAction(messages)

export default function MergePage() {
  const { kept, isReadOnly, isMissing, choice, comparison } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Merge clients"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: kept.name, to: `/clients/${kept.id}` },
        { label: 'Merge clients' },
      ]}
      description={`For two entries of the same person. ${kept.name} stays, and gets all records of the other client.`}
    >
      <div className="grid max-w-[56rem] gap-6">
        {isReadOnly && (
          <p className="note">One of these clients is read-only on your plan, so they can’t be merged now.</p>
        )}
        {isMissing && <p className="note">The client that you chose is in the trash by now. Choose another one.</p>}
        {choice && <ChooseClient keptId={kept.id} {...choice} />}
        {comparison && <Compare key={comparison.other.id} isReadOnly={isReadOnly} {...comparison} />}
      </div>
    </Page>
  )
}

type Data = ReturnType<typeof useLoaderData<typeof loader>>
type Comparison = NonNullable<Data['comparison']> & { isReadOnly: boolean }

function Compare({ other, fields, records, isReadOnly }: Comparison) {
  const { kept } = useLoaderData<typeof loader>()
  const {
    form,
    fields: choices,
    busy,
  } = useServerForm(mergeFields, {
    id: 'merge',
    intent: 'merge',
    values: Object.fromEntries(fields.map(({ name, source }) => [name, source])),
  })
  return (
    <Form method="post" {...form.props} className="grid gap-6">
      <input type="hidden" name="intent" value="merge" />
      <input type="hidden" name="with" value={other.id} />
      {/* The values on screen: after a change in another tab the page shows the new ones. */}
      <input type="hidden" name="keptVersion" value={kept.version} />
      <input type="hidden" name="mergedVersion" value={other.version} />
      <FormError id={form.errorId} errors={form.errors} />
      <Card
        title="Values to keep"
        aside={
          <ButtonLink to={`/clients/${other.id}/merge?with=${kept.id}`} variant="ghost" size="sm" icon={ArrowLeftRight}>
            Swap
          </ButtonLink>
        }
      >
        <div className="rows border-t border-line-soft">
          <div className="grid gap-x-5 px-5 py-3 text-sm text-ink-3 sm:grid-cols-2">
            <p className="wrap-anywhere">
              Stays: {kept.name} ({kept.email})
            </p>
            <p className="wrap-anywhere">
              Goes to the trash: {other.name} ({other.email})
            </p>
          </div>
          {fields.map((field) => (
            <FieldChoice key={field.name} field={choices[field.name]} values={field} />
          ))}
          {!fields.length && <p className="px-5 py-4 text-ink-2">All values are the same.</p>}
        </div>
      </Card>
      <Card title="Records that move">
        <div className="grid gap-3 border-t border-line-soft px-5 py-4">
          {records.length ? (
            <ul className="flex flex-wrap gap-x-5 gap-y-1" aria-label="Records that move">
              {records.map((record) => (
                <li key={record} className="num">
                  {record}
                </li>
              ))}
            </ul>
          ) : (
            <p>{other.name} has no records.</p>
          )}
          <p className="text-sm text-ink-3">
            You can undo this for 30 days, unless payments come in for these records: restore {other.name} from the
            trash. Their links to the client portal stop working at once.
          </p>
        </div>
      </Card>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" icon={Merge} busy={busy} busyLabel="Merging..." disabled={isReadOnly}>
          Merge Clients
        </Button>
        <ButtonLink to={`/clients/${kept.id}/merge`}>Choose Another Client</ButtonLink>
      </div>
    </Form>
  )
}
