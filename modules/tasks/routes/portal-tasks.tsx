import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { ById, clientFormActions } from '#modules/core/form-actions.server.ts'
import { PortalTaskRows } from '../components/portal-task-rows.tsx'
import { loadPortalTasksPage } from '../portal.ts'
import { completeOwnTask, reopenOwnTask } from '../services/own-tasks.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your tasks')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalTasksPage(await context.client())

const messages = {
  complete: { done: 'Task completed', failed: 'Failed to complete the task.' },
  reopen: { done: 'Task reopened', failed: 'Failed to reopen the task.' },
}

export const action = clientFormActions(
  messages,
  {
    complete: { schema: ById, run: (ctx, { id }) => completeOwnTask(ctx, id), undo: 'reopen' },
    reopen: { schema: ById, run: (ctx, { id }) => reopenOwnTask(ctx, id) },
  },
  { home: '/portal/tasks' },
)

export default function PortalTasksPage() {
  const { open, done } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your tasks</h1>
      {!open.length && <p className="mt-3 text-ink-2">Nothing is left to do.</p>}
      <div className="mt-8 grid gap-6">
        {open.length > 0 && (
          <Card title="Open">
            <PortalTaskRows tasks={open} label="Open tasks" />
          </Card>
        )}
        {done.length > 0 && (
          <Card title="Done">
            <PortalTaskRows tasks={done} label="Completed tasks" />
          </Card>
        )}
      </div>
    </>
  )
}
