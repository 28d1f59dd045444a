import type { ReactNode } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { TaskView } from '../format.ts'
import { CompleteButton } from './complete-button.tsx'

/** Tasks with a button that completes each. `toHref`: where its title leads; `children`: more of a row. */
export function TaskRows<Row extends TaskView>(props: {
  label: string
  tasks: Row[]
  toHref: (id: number) => string
  showsClient?: boolean
  children?: (task: Row) => ReactNode
}) {
  const { label, tasks, toHref, showsClient = true, children } = props
  return (
    <ul className="rows" aria-label={label}>
      {tasks.map((task) => (
        <li key={task.id} className="flex items-start gap-2 py-2.5 pr-4 pl-3">
          <CompleteButton id={task.id} title={task.title} isDone={task.doneOn !== null} />
          <div className="min-w-0 flex-1 pt-0.5">
            <Link
              to={toHref(task.id)}
              preventScrollReset
              className={`line-clamp-3 wrap-anywhere hover:underline ${task.doneOn ? 'text-ink-3 line-through' : 'font-medium'}`}
            >
              {task.title}
            </Link>
            <Facts {...task} showsClient={showsClient} />
          </div>
          {children?.(task)}
        </li>
      ))}
    </ul>
  )
}

function Facts({ owner, client, due, isOverdue, doneOn, session, showsClient }: TaskView & { showsClient: boolean }) {
  const name = owner === 'client' ? (showsClient ? client?.name : 'The client') : showsClient && client?.name
  if (!name && !due && !doneOn && !session) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-ink-3">
      {name && <span className="min-w-0 truncate">{owner === 'client' ? `${name} does it` : name}</span>}
      {doneOn ? (
        <span>Done: {doneOn}</span>
      ) : (
        due && (
          <span className={isOverdue ? 'font-medium text-danger-text' : ''}>
            {isOverdue ? `Overdue: ${due}` : `Due: ${due}`}
          </span>
        )
      )}
      {session && (
        <Link className="link leading-6" to={session.to}>
          {session.label}
        </Link>
      )}
    </p>
  )
}
