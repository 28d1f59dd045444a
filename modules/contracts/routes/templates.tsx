import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Plus, Trash2 } from 'lucide-react'
import type { Choice, Fields } from '#app/lib/fields.ts'
import { formatDay } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { RequirementRows } from '../components/requirement-rows.tsx'
import { NewTemplateForm, RequireWithProductForm } from '../forms.ts'
import { templatesUrl, templateUrl } from '../list-state.ts'
import { listTemplates } from '../queries/templates.ts'
import { listProductChoices, loadRequirements } from '../requirements-loader.server.ts'
import { removeRequirement, requireContract } from '../services/requirements.ts'
import { createTemplate, deleteTemplate, restoreTemplate } from '../services/templates.ts'
import { starters } from '../starters.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Contract Templates')

const maxTemplates = 200

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { dialog, template, product } = templatesUrl.parse(request.url)
  const [found, products] = await Promise.all([listTemplates(ctx, { rows: maxTemplates }), listProductChoices(ctx)])
  const templates = found.map(({ id, name, updatedAt }) => ({
    id,
    name,
    changed: formatDay(updatedAt, ctx.now(), ctx.account.timezone),
  }))
  return {
    dialog,
    templates,
    selected: templates.find(({ id }) => id === template) ?? null,
    requirements: await loadRequirements(ctx, products ?? []),
    products,
    product,
  }
}

const messages = {
  add: { done: 'Template added', failed: 'Failed to add the template.' },
  delete: { done: 'Template deleted', failed: 'Failed to delete the template.' },
  restore: { done: 'Template restored', failed: 'Failed to restore the template.' },
  require: { done: 'Contract required', failed: 'Failed to require the contract.' },
  'remove-requirement': { done: 'Contract no longer required', failed: 'Failed to remove the contract.' },
}

export const action = formActions(
  messages,
  {
    add: {
      schema: NewTemplateForm,
      run: async (ctx, { name, starter }) => {
        const { id } = await createTemplate(ctx, { name, body: starters[starter].body })
        return success({ to: templateUrl(id).href() })
      },
    },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteTemplate(ctx, id)
        return success({ to: templatesUrl.href() })
      },
      undo: 'restore',
    },
    require: { schema: RequireWithProductForm, run: requireContract, to: () => templatesUrl.href() },
    'remove-requirement': { schema: ById, run: (ctx, { id }) => removeRequirement(ctx, id), to: ({ page }) => page },
    restore: { schema: ById, run: (ctx, { id }) => restoreTemplate(ctx, id), to: ({ page }) => page },
  },
  { home: templatesUrl.href(), dialog: ['dialog', 'template', 'product'] },
)

export const clientAction = formClientAction(messages)

export default function TemplatesPage() {
  const { templates, dialog, selected, requirements, products, product } = useLoaderData<typeof loader>()
  const closeTo = templatesUrl.href()
  return (
    <Page
      title="Contract Templates"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Contracts', to: '/contracts' },
        { label: 'Templates' },
      ]}
      description="Texts with placeholders, such as {{client name}}."
      actions={
        <PrimaryLink icon={Plus} to={templatesUrl.href({ dialog: 'add' })} preventScrollReset>
          Add Template
        </PrimaryLink>
      }
    >
      <div className="card overflow-hidden">
        {templates.length ? (
          <ul className="rows" aria-label="Templates">
            {templates.map(({ id, name, changed }) => (
              <li key={id} className="flex items-center gap-3 px-5 py-3">
                <div className="min-w-0 flex-1">
                  <Link to={templateUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
                    {name}
                  </Link>
                  <p className="text-sm text-ink-3">Changed {changed}</p>
                </div>
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  icon={Trash2}
                  to={templatesUrl.href({ dialog: 'delete', template: id })}
                  preventScrollReset
                  aria-label={`Delete ${name}`}
                  className="btn-icon"
                />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState
            title="No templates yet"
            action={<ButtonLink to={templatesUrl.href({ dialog: 'add' })}>Add Template</ButtonLink>}
          >
            Begin with an example, and have a lawyer check what you make of it.
          </EmptyState>
        )}
      </div>
      {(requirements.length > 0 || (products && templates.length > 0)) && (
        <Card
          title="Sent automatically"
          className="mt-6"
          aside={
            products &&
            templates.length > 0 && (
              <ButtonLink size="sm" to={templatesUrl.href({ dialog: 'require' })} preventScrollReset>
                Require with a Product
              </ButtonLink>
            )
          }
        >
          <RequirementRows requirements={requirements} />
        </Card>
      )}
      {dialog === 'add' && <AddDialog closeTo={closeTo} />}
      {dialog === 'require' && products && templates.length > 0 && (
        <RequireDialog closeTo={closeTo} templates={templates} products={products} product={product} />
      )}
      {dialog === 'delete' && selected && (
        <ConfirmDialog
          title="Delete Template"
          confirm="Delete Template"
          busyLabel="Deleting..."
          closeTo={closeTo}
          fields={{ intent: 'delete', id: String(selected.id) }}
        >
          “{selected.name}” stays in the trash for 30 days, and bookings and products require it no more. Contracts that
          were made from it stay.
        </ConfirmDialog>
      )}
    </Page>
  )
}

const requireFields = {
  productId: { kind: 'line', label: 'Product', required: 'Choose a product' },
  contractTemplateId: { kind: 'line', label: 'Contract', required: 'Choose a template' },
} as const satisfies Fields

function RequireDialog({
  closeTo,
  templates,
  products,
  product,
}: {
  closeTo: string
  templates: { id: number; name: string }[]
  products: Choice[]
  product: number | null
}) {
  const { form, fields, busy } = useServerForm(requireFields, {
    id: 'require',
    intent: 'require',
    values: { productId: String(product ?? ''), contractTemplateId: String(templates[0]!.id) },
  })
  return (
    <Dialog title="Require a Contract" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="require" />
          <FormError id={form.errorId} errors={form.errors} />
          <SelectField field={fields.productId} choices={[{ value: '', label: 'Choose a product' }, ...products]} />
          <SelectField
            field={fields.contractTemplateId}
            choices={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
            hint="Each client who gets the product gets the contract by email, unless they have it already, open or signed."
          />
          <DialogSubmit busy={busy}>Require Contract</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const addFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  starter: {
    kind: 'choice',
    label: 'Begin with',
    choices: { agreement: 'Coaching agreement', package: 'Package of sessions', recordings: 'Consent to recordings' },
    message: 'Choose an example',
  },
} as const satisfies Fields

function AddDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm(addFields, {
    id: 'add',
    intent: 'add',
    values: { starter: 'agreement' },
  })
  return (
    <Dialog title="Add Template" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" />
          <SelectField field={fields.starter} hint="An example without legal advice. You can change all of it." />
          <DialogSubmit busy={busy}>Add Template</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
