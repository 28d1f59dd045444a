import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { ClipboardList, Plus, Send, Trash2 } from 'lucide-react'
import type { Fields } from '#app/lib/fields.ts'
import { countPages } from '#app/lib/url.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { SendDialog } from '../components/send-dialog.tsx'
import { formatCount } from '../format.ts'
import { NewForm, NewFormForm, RequireForm, SendForm } from '../forms.ts'
import { loadForms, type FormsPage as PageData } from '../forms-loader.server.ts'
import { answersUrl, formsUrl, formUrl, pageSize, submissionUrl } from '../list-state.ts'
import { createForm, deleteForm, restoreForm } from '../services/form.ts'
import { removeRequirement, requireForm } from '../services/requirements.ts'
import { sendForm } from '../services/submissions.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Forms')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const data = await loadForms(context.coach(), request.url)
  const lastPage = countPages(data.count, pageSize)
  if (data.state.page > lastPage) throw redirect(formsUrl.href(data.state, { page: lastPage }))
  return data
}

const messages = {
  add: { done: 'Form added', failed: 'Failed to add the form.' },
  send: { done: 'Form sent', failed: 'Failed to send the form.' },
  delete: { done: 'Form deleted', failed: 'Failed to delete the form.' },
  restore: { done: 'Form restored', failed: 'Failed to restore the form.' },
  require: { done: 'Form added', failed: 'Failed to add the form.' },
  'remove-requirement': { done: 'Form removed', failed: 'Failed to remove the form.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    add: {
      schema: NewFormForm,
      run: async (ctx, input) => {
        const { id } = await createForm(ctx, NewForm.parse(input))
        return success({ to: formUrl(id).href() })
      },
    },
    send: {
      schema: SendForm,
      run: async (ctx, input) => {
        const { id } = await sendForm(ctx, input)
        // It has the link to copy.
        return success({ to: submissionUrl(id).href() })
      },
    },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteForm(ctx, id)
        return success({ to: formsUrl.href() })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreForm(ctx, id), to: toPage },
    require: { schema: RequireForm, run: requireForm, to: toPage, isButton: true },
    'remove-requirement': { schema: ById, run: (ctx, { id }) => removeRequirement(ctx, id), to: toPage },
  },
  { home: formsUrl.href(), dialog: ['dialog', 'form', 'client'] },
)

export const clientAction = formClientAction(messages)

export default function FormsPage() {
  const data = useLoaderData<typeof loader>()
  const { state, forms, count } = data
  return (
    <Page
      title="Forms"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Forms' }]}
      description="Ask clients before, between and after sessions."
      actions={
        <>
          {forms.length > 0 && (
            <SecondaryLink icon={Send} to={formsUrl.href(state, { dialog: 'send' })} preventScrollReset>
              Send Form
            </SecondaryLink>
          )}
          <PrimaryLink icon={Plus} to={formsUrl.href(state, { dialog: 'add' })} preventScrollReset>
            Add Form
          </PrimaryLink>
        </>
      }
    >
      {(count > 0 || state.q) && (
        <FilterForm action="/forms" values={{ q: state.q }} className="mb-4">
          <SearchField label="Search forms" placeholder="Search by name" value={state.q} className="sm:max-w-80" />
        </FilterForm>
      )}
      <div className="card overflow-hidden">{forms.length ? <FormRows {...data} /> : <NoForms q={state.q} />}</div>
      {forms.length > 0 && (
        <PageSummary
          page={state.page}
          size={pageSize}
          rows={forms.length}
          count={count}
          to={(page) => formsUrl.href(state, { page })}
        />
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

function FormRows({ forms, state }: PageData) {
  return (
    <ul className="rows" aria-label="Forms">
      {forms.map(({ id, name, questions, publishedNumber, hasChanges, sent, submitted, changed }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <ClipboardList className="i text-ink-3 max-sm:hidden" />
          <div className="min-w-0 flex-1 basis-56">
            <Link to={formUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
              {name}
            </Link>
            <p className="text-sm text-ink-3">
              {formatCount(questions, 'question', 'questions')}, changed {changed}
            </p>
          </div>
          <Badge tone={publishedNumber === null ? 'neutral' : hasChanges ? 'warning' : 'success'}>
            {publishedNumber === null ? 'Draft' : hasChanges ? 'Changes not published' : 'Published'}
          </Badge>
          <Link className="link text-sm" to={answersUrl(id).href()} aria-label={`Answers to ${name}`}>
            {submitted} of {sent} answered
          </Link>
          <ButtonLink
            variant="ghost"
            size="sm"
            icon={Trash2}
            to={formsUrl.href(state, { dialog: 'delete', form: id })}
            preventScrollReset
            aria-label={`Delete ${name}`}
            className="btn-icon"
          />
        </li>
      ))}
    </ul>
  )
}

function NoForms({ q }: { q: string }) {
  return q ? (
    <EmptyState title="No forms found" action={<ButtonLink to={formsUrl.href()}>Clear search</ButtonLink>}>
      No forms match “{q}”.
    </EmptyState>
  ) : (
    <EmptyState
      title="No forms yet"
      illustration={<ChairsIllustration />}
      action={<ButtonLink to={formsUrl.href({ dialog: 'add' })}>Add Form</ButtonLink>}
    >
      Begin with a template, such as an intake form, and change it.
    </EmptyState>
  )
}

const newFormFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  template: {
    kind: 'choice',
    label: 'Begin with',
    choices: {
      '': 'An empty form',
      intake: 'Intake',
      preparation: 'Session preparation',
      feedback: 'Feedback',
      wheel: 'Wheel of life',
    },
    message: 'Choose a template',
  },
} as const satisfies Fields

function AddDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm(newFormFields, {
    id: 'add',
    intent: 'add',
    values: { template: 'intake' },
  })
  return (
    <Dialog title="Add Form" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" />
          <SelectField field={fields.template} hint="You can change every question." />
          <DialogSubmit busy={busy}>Add Form</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function OpenDialog({ state, dialog, selected, chosen, options }: PageData) {
  const closeTo = formsUrl.href(state)
  if (dialog === 'add') return <AddDialog closeTo={closeTo} />
  if (dialog === 'send' && options) return <SendDialog options={options} values={chosen} closeTo={closeTo} />
  if (dialog !== 'delete' || !selected) return null
  return (
    <ConfirmDialog
      title="Delete Form"
      confirm="Delete Form"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete', id: String(selected.id) }}
    >
      “{selected.name}” and all answers to it stay in the trash for 30 days. Its links stop at once.
    </ConfirmDialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Forms"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Forms' }]}
      heading="Failed to fetch forms"
    >
      Your forms are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
