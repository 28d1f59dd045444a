import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Plus, Trash2, UserPlus } from 'lucide-react'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { FormError, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { AssignDialog } from '../components/assign-dialog.tsx'
import { ProgressSummary } from '../components/progress-summary.tsx'
import { templateFields } from '../fields.ts'
import { AssignForm, NewTemplate, TemplateForm } from '../forms.ts'
import { pageSize, programsUrl, programUrl, templateUrl } from '../list-state.ts'
import { loadPrograms, type ProgramsPage as PageData } from '../programs-loader.server.ts'
import { assignProgram } from '../services/programs.ts'
import { createTemplate, deleteTemplate, restoreTemplate } from '../services/templates.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Programs')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const data = await loadPrograms(context.coach(), request.url)
  const lastPage = countPages(data.count, pageSize)
  if (data.state.page > lastPage) throw redirect(programsUrl.href(data.state, { page: lastPage }))
  return data
}

const messages = {
  add: { done: 'Template added', failed: 'Failed to add the template.' },
  assign: { done: 'Program assigned', failed: 'Failed to assign the program.' },
  delete: { done: 'Template deleted', failed: 'Failed to delete the template.' },
  restore: { done: 'Template restored', failed: 'Failed to restore the template.' },
}

export const action = formActions(
  messages,
  {
    add: {
      schema: TemplateForm,
      run: async (ctx, input) => {
        const { id } = await createTemplate(ctx, NewTemplate.parse(input))
        return success({ to: templateUrl(id).href() })
      },
    },
    assign: {
      schema: AssignForm,
      run: async (ctx, input) => {
        const { id } = await assignProgram(ctx, input)
        return success({ to: programUrl(id).href() })
      },
    },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteTemplate(ctx, id)
        return success({ to: programsUrl.href({ view: 'templates' }) })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreTemplate(ctx, id), to: ({ page }) => page },
  },
  { home: programsUrl.href(), dialog: ['dialog', 'template', 'client'] },
)

export const clientAction = formClientAction(messages)

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Programs' }]
const views = { running: 'Running', completed: 'Completed', templates: 'Templates' }

export default function ProgramsPage() {
  const data = useLoaderData<typeof loader>()
  const { state, count, programs, templates } = data
  const { view, q } = state
  return (
    <Page
      title="Programs"
      crumbs={crumbs}
      description="Weeks that clients go through, and how far they are."
      actions={
        <>
          <SecondaryLink icon={Plus} to={programsUrl.href({ view: 'templates', dialog: 'add' })} preventScrollReset>
            Add Template
          </SecondaryLink>
          <PrimaryLink icon={UserPlus} to={programsUrl.href(state, { dialog: 'assign' })} preventScrollReset>
            Assign Program
          </PrimaryLink>
        </>
      }
    >
      <Tabs
        label="Programs"
        tabs={Object.entries(views).map(([name, label]) => ({
          label,
          to: programsUrl.href({ view: name as typeof view }),
          current: name === view,
        }))}
      />
      {(count > 0 || q) && (
        <FilterForm action="/programs" values={{ view, q }} className="mt-4">
          <SearchField
            label={view === 'templates' ? 'Search templates' : 'Search programs'}
            placeholder={view === 'templates' ? 'Search by name' : 'Search by name or client'}
            value={q}
            className="sm:max-w-80"
          />
        </FilterForm>
      )}
      <div className="card mt-4 overflow-hidden">
        {count === 0 ? <NoRows {...data} /> : view === 'templates' ? <Templates {...data} /> : <Programs {...data} />}
      </div>
      {count > 0 && (
        <PageSummary
          page={state.page}
          size={pageSize}
          rows={programs.length + templates.length}
          count={count}
          to={(page) => programsUrl.href(state, { page })}
        />
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

function Programs({ programs }: PageData) {
  return (
    <ul className="rows" aria-label="Programs">
      {programs.map(({ id, name, clientName, progress, when }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-56">
            <Link to={programUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
              {clientName}, {name}
            </Link>
            <p className="text-sm text-ink-3">{when}</p>
          </div>
          <div className="flex-1 basis-56">
            <ProgressSummary progress={progress} label={`Progress of ${clientName}, ${name}`} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Templates({ templates, state }: PageData) {
  return (
    <ul className="rows" aria-label="Templates">
      {templates.map(({ id, name, details, isEmpty }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-56">
            <Link to={templateUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
              {name}
            </Link>
            <p className="text-sm text-ink-3">{details}</p>
          </div>
          {!isEmpty && (
            <ButtonLink
              size="sm"
              to={programsUrl.href(state, { dialog: 'assign', template: id })}
              preventScrollReset
              aria-label={`Assign ${name}`}
            >
              Assign
            </ButtonLink>
          )}
          <ButtonLink
            variant="ghost"
            size="sm"
            icon={Trash2}
            to={programsUrl.href(state, { dialog: 'delete', template: id })}
            preventScrollReset
            aria-label={`Delete ${name}`}
            className="btn-icon"
          />
        </li>
      ))}
    </ul>
  )
}

function NoRows({ state: { q, view } }: PageData) {
  if (q)
    return (
      <EmptyState title="Nothing found" action={<ButtonLink to={programsUrl.href({ view })}>Clear search</ButtonLink>}>
        Nothing matches “{q}”.
      </EmptyState>
    )
  if (view === 'completed')
    return <EmptyState title="No completed programs">They are here once you complete them.</EmptyState>
  return view === 'templates' ? (
    <EmptyState
      title="No templates yet"
      illustration={<ChairsIllustration />}
      action={<ButtonLink to={programsUrl.href({ view, dialog: 'add' })}>Add Template</ButtonLink>}
    >
      Plan a program once, and give it to every client whom it suits.
    </EmptyState>
  ) : (
    <EmptyState
      title="No programs yet"
      illustration={<ChairsIllustration />}
      action={<ButtonLink to={programsUrl.href({ view: 'templates' })}>Open Templates</ButtonLink>}
    >
      Begin with a template, and assign it to a client.
    </EmptyState>
  )
}

function AddDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm(templateFields, { id: 'add', intent: 'add' })
  return (
    <Dialog title="Add Template" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" />
          <TextAreaField field={fields.description} rows={3} hint="Clients read it above the milestones." />
          <DialogSubmit busy={busy}>Add Template</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function OpenDialog({ state, dialog, selected, chosen, options }: PageData) {
  const closeTo = programsUrl.href(state)
  if (dialog === 'add') return <AddDialog closeTo={closeTo} />
  if (dialog === 'assign' && options) return <AssignDialog options={options} values={chosen} closeTo={closeTo} />
  if (dialog !== 'delete' || !selected) return null
  return (
    <ConfirmDialog
      title="Delete Template"
      confirm="Delete Template"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete', id: String(selected.id) }}
    >
      “{selected.name}” stays in the trash for 30 days. The programs of clients stay as they are.
    </ConfirmDialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage title="Programs" crumbs={crumbs} heading="Failed to fetch programs">
      Your programs are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
