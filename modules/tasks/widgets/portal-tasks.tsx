import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PortalTaskRows } from '../components/portal-task-rows.tsx'
import type { PortalTasks } from '../portal.ts'

/** The open tasks of a client, on the home page of the portal. */
export default function PortalTasksCard({ data: { tasks, more } }: { data: PortalTasks }) {
  return (
    <Card title="Your tasks">
      <PortalTaskRows tasks={tasks} label="Open tasks" />
      {more > 0 && (
        <Link className="link block border-t border-line-soft px-5 py-3" to="/portal/tasks">
          {more} more
        </Link>
      )}
    </Card>
  )
}
