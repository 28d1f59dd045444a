import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, Plus, Trash2, X } from 'lucide-react'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { TaskDialog } from '../components/task-dialog.tsx'
import { TaskRows } from '../components/task-rows.tsx'
import { pageSize, tasksExportUrl, tasksUrl, views, type View } from '../list-state.ts'
import { task } from '../records.ts'
import { completeTask, createTask, deleteTask, reopenTask, restoreTask, updateTask } from '../services/tasks.ts'
import { loadTasks, type TasksPage as PageData } from '../tasks-loader.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Tasks')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const data = await loadTasks(context.coach(), request.url)
  const lastPage = countPages(data.count, pageSize)
  if (data.state.page > lastPage) throw redirect(tasksUrl.href(data.state, { page: lastPage }))
  return data
}

const messages = {
  add: { done: 'Task added', failed: 'Failed to add the task.' },
  edit: { done: 'Task updated', failed: 'Failed to update the task.' },
  complete: { done: 'Task completed', failed: 'Failed to complete the task.' },
  reopen: { done: 'Task reopened', failed: 'Failed to reopen the task.' },
  delete: { done: 'Task deleted', failed: 'Failed to delete the task.' },
  restore: { done: 'Task restored', failed: 'Failed to restore the task.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    add: {
      schema: task.form,
      run: async (ctx, input, { page }) => {
        const { owner } = await createTask(ctx, input)
        // The tab that has it.
        const { client, view } = tasksUrl.parse(page)
        return success({
          to: tasksUrl.href({ client, view: view === 'done' ? view : owner === 'client' ? 'clients' : 'mine' }),
        })
      },
    },
    edit: {
      schema: task.editForm,
      run: (ctx, { id, version, ...input }) => updateTask(ctx, id, input, version),
    },
    complete: { schema: ById, run: (ctx, { id }) => completeTask(ctx, id), undo: 'reopen', to: toPage },
    reopen: { schema: ById, run: (ctx, { id }) => reopenTask(ctx, id), to: toPage },
    delete: { schema: ById, run: (ctx, { id }) => deleteTask(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreTask(ctx, id), to: toPage },
  },
  { home: tasksUrl.href(), dialog: ['dialog', 'task'] },
)

export const clientAction = formClientAction(messages)

export default function TasksPage() {
  const data = useLoaderData<typeof loader>()
  const { state, counts, count, tasks, client } = data
  return (
    <Page
      title="Tasks"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Tasks' }]}
      description={client && `Tasks of ${client.name}`}
      actions={
        <>
          <ButtonLink icon={Download} to={tasksExportUrl.href(state)} reloadDocument>
            Export
          </ButtonLink>
          <PrimaryLink icon={Plus} to={tasksUrl.href(state, { dialog: 'add' })} preventScrollReset>
            Add Task
          </PrimaryLink>
        </>
      }
    >
      <div className="mb-4">
        <Tabs
          label="Tasks"
          tabs={(Object.keys(views) as View[]).map((view) => ({
            label: `${views[view]} (${counts[view].toLocaleString('en-US')})`,
            to: tasksUrl.href(state, { view, page: 1 }),
            current: state.view === view,
          }))}
        />
      </div>
      <Filters {...data} />
      {count ? (
        <>
          <div className="card overflow-hidden">
            <TaskRows
              label="Tasks"
              tasks={tasks}
              showsClient={!client}
              toHref={(id) => tasksUrl.href(state, { dialog: 'edit', task: id })}
            >
              {({ id, title }) => (
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  icon={Trash2}
                  to={tasksUrl.href(state, { dialog: 'delete', task: id })}
                  preventScrollReset
                  aria-label={`Delete ${title}`}
                  className="btn-icon"
                />
              )}
            </TaskRows>
          </div>
          <PageSummary
            page={state.page}
            size={pageSize}
            rows={tasks.length}
            count={count}
            to={(page) => tasksUrl.href(state, { page })}
          />
        </>
      ) : (
        <NoTasks {...data} />
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

function Filters({ state, client }: PageData) {
  const { view, q } = state
  return (
    <FilterForm
      action="/tasks"
      values={{ view: view === 'mine' ? '' : view, q, client: state.client ? String(state.client) : '' }}
      className="mb-4 flex flex-wrap items-center gap-3"
    >
      {view !== 'mine' && <input type="hidden" name="view" value={view} />}
      {state.client && <input type="hidden" name="client" value={state.client} />}
      <SearchField
        label="Search tasks"
        placeholder="Search by title or client"
        value={q}
        className="basis-full sm:max-w-80 sm:flex-1 sm:basis-64"
      />
      {client && (
        <Link className="btn btn-ghost" to={tasksUrl.href(state, { client: null, page: 1 })}>
          <X className="i" />
          <span className="min-w-0 truncate">All clients</span>
        </Link>
      )}
    </FilterForm>
  )
}

const empty: Record<View, string> = {
  mine: 'Nothing to do. Add what you want to remember.',
  clients: 'What your clients promise appears here.',
  overdue: 'Nothing is overdue.',
  done: 'What is done appears here.',
}

function NoTasks({ state }: PageData) {
  return (
    <div className="card">
      {state.q ? (
        <EmptyState
          title="No tasks found"
          action={<ButtonLink to={tasksUrl.href(state, { q: '', page: 1 })}>Clear search</ButtonLink>}
        >
          No tasks match “{state.q}”.
        </EmptyState>
      ) : (
        <EmptyState title="No tasks here" illustration={<ChairsIllustration />}>
          {empty[state.view]}
        </EmptyState>
      )}
    </div>
  )
}

function OpenDialog({ state, dialog, selected, isMissing, choices }: PageData) {
  const closeTo = tasksUrl.href(state)
  if (isMissing) return <NotFoundDialog label="Task" kind="task" closeTo={closeTo} />
  if (dialog === 'add' && choices)
    return (
      <TaskDialog
        {...choices}
        task={null}
        defaults={{ clientId: state.client, owner: state.view === 'clients' ? 'client' : 'coach' }}
        closeTo={closeTo}
        deleteTo={null}
      />
    )
  if (!selected) return null
  const { id, title, owner } = selected
  if (dialog === 'edit' && choices)
    return (
      <TaskDialog
        key={id}
        {...choices}
        task={selected}
        defaults={{ clientId: null, owner }}
        closeTo={closeTo}
        deleteTo={tasksUrl.href(state, { dialog: 'delete', task: id })}
      />
    )
  if (dialog !== 'delete') return null
  return (
    <ConfirmDialog
      title="Delete Task"
      confirm="Delete Task"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete', id: String(id) }}
    >
      “{title}” stays in the trash for 30 days.
    </ConfirmDialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Tasks"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Tasks' }]}
      heading="Failed to fetch tasks"
    >
      Your tasks are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
