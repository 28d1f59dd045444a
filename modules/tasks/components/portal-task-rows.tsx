import { Form } from '@remix-run/react'
import { Circle, CircleCheck } from 'lucide-react'
import type { PortalTask } from '../portal.ts'

/** A client's tasks in the portal, with a button that completes or reopens each. */
export function PortalTaskRows({ tasks, label }: { tasks: PortalTask[]; label: string }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label={label}>
      {tasks.map(({ id, title, due, isOverdue, doneOn }) => (
        <li key={id} className="flex items-start gap-2 py-2 pr-5 pl-3">
          <Form method="post" action="/portal/tasks">
            <input type="hidden" name="intent" value={doneOn ? 'reopen' : 'complete'} />
            <input type="hidden" name="id" value={id} />
            <button
              type="submit"
              className="btn btn-ghost btn-icon"
              aria-label={`${doneOn ? 'Reopen' : 'Complete'} ${title}`}
            >
              {doneOn ? <CircleCheck className="i" /> : <Circle className="i" />}
            </button>
          </Form>
          <div className="min-w-0 flex-1 pt-1.5">
            <p className={`wrap-anywhere ${doneOn ? 'text-ink-3 line-through' : 'font-medium'}`}>{title}</p>
            {(doneOn || due) && (
              <p className={`text-sm ${isOverdue ? 'font-medium text-danger-text' : 'text-ink-3'}`}>
                {doneOn ? `Done: ${doneOn}` : isOverdue ? `Overdue: ${due}` : `Due: ${due}`}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
