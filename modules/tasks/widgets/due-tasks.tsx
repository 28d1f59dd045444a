import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { TaskRows } from '../components/task-rows.tsx'
import type { DueTasks } from '../contributions.ts'
import { tasksUrl } from '../list-state.ts'

/** The tasks that are due today or overdue, on the dashboard. */
export default function DueTasksCard({ data: { tasks, more } }: { data: DueTasks }) {
  if (!tasks.length) return null
  return (
    <Card
      title="Today's Tasks"
      aside={
        <Link className="link text-sm" to={tasksUrl.href()}>
          Open tasks
        </Link>
      }
    >
      <div className="border-t border-line-soft">
        <TaskRows label="Today's Tasks" tasks={tasks} toHref={(id) => tasksUrl.href({ dialog: 'edit', task: id })} />
      </div>
      {more > 0 && (
        <Link className="link block border-t border-line-soft px-5 py-3 text-sm" to={tasksUrl.href()}>
          {more} more
        </Link>
      )}
    </Card>
  )
}
