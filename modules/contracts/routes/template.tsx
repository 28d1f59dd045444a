import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import { formValues } from '#app/lib/fields.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { ContractText } from '../components/contract-text.tsx'
import { PlaceholderHint } from '../components/placeholder-hint.tsx'
import { templateFields } from '../fields.ts'
import { EditTemplateForm } from '../forms.ts'
import { templatesUrl, templateUrl } from '../list-state.ts'
import { fillPlaceholders } from '../placeholders.ts'
import { getTemplateForEdit } from '../queries/templates.ts'
import { getPlaceholderValues } from '../services/sending.ts'
import { updateTemplate } from '../services/templates.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.name ?? 'Template')

/** A client and a price that the preview shows. */
const sample = { clientName: 'Grace Hopper', clientEmail: 'grace@example.com', product: 'Ten sessions', price: 150_000 }

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name, body, version } = await getTemplateForEdit(ctx, parseId(params.id))
  const { view } = templateUrl(id).parse(request.url)
  return { id, name, body, version, view, preview: fillPlaceholders(body, getPlaceholderValues(ctx, sample)) }
}

const messages = { edit: { done: 'Template updated', failed: 'Failed to update the template.' } }

export const action = formActions(
  messages,
  {
    edit: {
      schema: EditTemplateForm,
      run: (ctx, { id, version, ...input }) => updateTemplate(ctx, id, input, version),
    },
  },
  {},
)

export const clientAction = formClientAction(messages)

export default function TemplatePage() {
  const { id, name, body, version, view, preview } = useLoaderData<typeof loader>()
  const url = templateUrl(id)
  return (
    <Page
      title={name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Contract Templates', to: templatesUrl.href() },
        { label: 'Template' },
      ]}
      actions={
        <>
          <HistoryLink kind="contract_template" id={id} />
          <ButtonLink variant="danger-ghost" icon={Trash2} to={templatesUrl.href({ dialog: 'delete', template: id })}>
            Delete
          </ButtonLink>
        </>
      }
    >
      <div className="mb-4">
        <Tabs
          label="Template"
          tabs={[
            { label: 'Text', to: url.href(), current: view === null },
            { label: 'Preview', to: url.href({ view: 'preview' }), current: view === 'preview' },
          ]}
        />
      </div>
      {view === 'preview' ? (
        <>
          <p className="note mb-4">As a contract with {sample.clientName} would read today.</p>
          <ContractText text={preview} label="Preview" />
        </>
      ) : (
        <EditForm key={id} id={id} name={name} body={body} version={version} />
      )}
    </Page>
  )
}

function EditForm({ id, name, body, version }: { id: number; name: string; body: string; version: number }) {
  const values = formValues(templateFields, { name, body })
  const state = useServerForm(templateFields, { id: 'template', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'contract template', current: { version, values } })
  return (
    <Form key={conflict.key} method="post" {...state.form.props} className="card grid gap-4 p-5" preventScrollReset>
      <input type="hidden" name="intent" value="edit" />
      <input type="hidden" name="id" value={id} />
      {conflict.inputs}
      {conflict.notice}
      <TextField field={conflict.fields.name} autoComplete="off" />
      <TextAreaField field={conflict.fields.body} rows={22} />
      <PlaceholderHint />
      <Button type="submit" variant="primary" busy={state.busy} busyLabel="Saving..." className="justify-self-end">
        Save
      </Button>
    </Form>
  )
}
