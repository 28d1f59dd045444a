import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Plus, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { loadAutomations, type AutomationsPage as PageData } from '../automations-loader.server.ts'
import { PlanNote } from '../components/plan-note.tsx'
import { newAutomationFields } from '../fields.ts'
import { NewAutomationForm } from '../forms.ts'
import { formatCount } from '../format.ts'
import { automationsUrl, automationUrl } from '../list-state.ts'
import { createAutomation, deleteAutomation, restoreAutomation } from '../services/automations.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Automations')

export const loader = ({ request, context }: LoaderFunctionArgs) => loadAutomations(context.coach(), request.url)

const messages = {
  add: { done: null, failed: 'Failed to add the automation.' },
  delete: { done: 'Automation deleted', failed: 'Failed to delete the automation.' },
  restore: { done: 'Automation restored', failed: 'Failed to restore the automation.' },
}

export const action = formActions(
  messages,
  {
    add: {
      schema: NewAutomationForm,
      run: async (ctx, input) => {
        const { id } = await createAutomation(ctx, input)
        return success({ to: automationUrl(id).href() })
      },
    },
    delete: { schema: ById, run: (ctx, { id }) => deleteAutomation(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreAutomation(ctx, id), to: ({ page }) => page },
  },
  { home: automationsUrl.href(), dialog: ['dialog', 'automation'] },
)

export const clientAction = formClientAction(messages)

export default function AutomationsPage() {
  const data = useLoaderData<typeof loader>()
  const { automations, hasPlan, isFull } = data
  return (
    <Page
      title="Automations"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Automations' }]}
      description="When something happens, let it be followed by an email, a task or another step."
      actions={
        hasPlan &&
        !isFull && (
          <PrimaryLink icon={Plus} to={automationsUrl.href({ dialog: 'add' })} preventScrollReset>
            Add Automation
          </PrimaryLink>
        )
      }
    >
      {!hasPlan && <PlanNote />}
      <div className="card overflow-hidden">
        {automations.length ? <Rows automations={automations} /> : <NoAutomations hasPlan={hasPlan} />}
      </div>
      {isFull && <p className="note mt-4">You have {automations.length} automations, as many as possible.</p>}
      <OpenDialog {...data} />
    </Page>
  )
}

function Rows({ automations }: Pick<PageData, 'automations'>) {
  return (
    <ul className="rows" aria-label="Automations">
      {automations.map(({ id, name, when, then, isOn, isBroken, runs, failed, last }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <Link to={automationUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
              {name}
            </Link>
            <p className="text-sm text-ink-3">
              {when ?? 'When: not available'}
              {then ? `. Then: ${then}` : '. No actions yet'}
            </p>
          </div>
          {isBroken && <Badge tone="danger">A part is not available</Badge>}
          <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
          <Link
            className="link text-sm"
            to={automationUrl(id).href({ view: 'runs' })}
            aria-label={`Runs of ${name}: ${runs} in 30 days`}
          >
            {formatCount(runs, 'run', 'runs')} in 30 days{failed > 0 && `, ${failed} failed`}
          </Link>
          <span className="text-sm text-ink-3">{last ? `Last ${last}` : 'Not run yet'}</span>
          <ButtonLink
            variant="ghost"
            size="sm"
            icon={Trash2}
            to={automationsUrl.href({ dialog: 'delete', automation: id })}
            preventScrollReset
            aria-label={`Delete ${name}`}
            className="btn-icon"
          />
        </li>
      ))}
    </ul>
  )
}

const NoAutomations = ({ hasPlan }: { hasPlan: boolean }) => (
  <EmptyState
    title="No automations yet"
    illustration={<ChairsIllustration />}
    action={hasPlan && <ButtonLink to={automationsUrl.href({ dialog: 'add' })}>Add Automation</ButtonLink>}
  >
    For example: when a session is completed, thank the client by email and remind yourself to write the notes.
  </EmptyState>
)

function AddDialog({ triggers }: Pick<PageData, 'triggers'>) {
  const { form, fields, busy } = useServerForm(newAutomationFields, {
    id: 'add',
    intent: 'add',
    values: { trigger: triggers[0]?.value ?? '' },
  })
  return (
    <Dialog title="Add Automation" closeTo={automationsUrl.href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" />
          <SelectField field={fields.trigger} choices={triggers} hint="It is switched off until you switch it on." />
          <DialogSubmit busy={busy}>Add Automation</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function OpenDialog({ dialog, selected, triggers, hasPlan }: PageData) {
  if (dialog === 'add' && hasPlan) return <AddDialog triggers={triggers} />
  if (dialog !== 'delete' || !selected) return null
  return (
    <ConfirmDialog
      title="Delete Automation"
      confirm="Delete Automation"
      busyLabel="Deleting..."
      closeTo={automationsUrl.href()}
      fields={{ intent: 'delete', id: String(selected.id) }}
    >
      “{selected.name}” and its log stay in the trash for 30 days. It does nothing in that time.
    </ConfirmDialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Automations"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Automations' }]}
      heading="Failed to fetch automations"
    >
      Your automations are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
