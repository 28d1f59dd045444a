import { Plus } from 'lucide-react'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { TaskRows } from '../components/task-rows.tsx'
import type { OpenTasks } from '../contributions.ts'
import { tasksUrl } from '../list-state.ts'

/** The open tasks of the coach and the client, on the page of the client. */
export default function OpenTasksCard({ data: { clientId, tasks, more } }: { data: OpenTasks }) {
  return (
    <Card
      title="Tasks"
      aside={
        <Link
          to={tasksUrl.href({ client: clientId, dialog: 'add' })}
          aria-label="Add Task"
          className="btn btn-ghost btn-sm btn-icon -mr-1.5"
        >
          <Plus className="i" />
        </Link>
      }
    >
      {tasks.length ? (
        <div className="border-t border-line-soft">
          <TaskRows
            label="Open tasks"
            tasks={tasks}
            showsClient={false}
            toHref={(id) => tasksUrl.href({ client: clientId, dialog: 'edit', task: id })}
          />
        </div>
      ) : (
        <p className="px-5 pb-4 text-ink-3">No open tasks.</p>
      )}
      {more > 0 && (
        <Link
          className="link block border-t border-line-soft px-5 py-3 text-sm"
          to={tasksUrl.href({ client: clientId })}
        >
          {more} more
        </Link>
      )}
    </Card>
  )
}
