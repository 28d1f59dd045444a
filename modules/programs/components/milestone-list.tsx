import { Form } from '@remix-run/react'
import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ItemView, MilestoneView } from '../format.ts'

type Props = {
  milestones: MilestoneView[]
  /** The page whose action ticks items. */
  action: string
  /** More of a milestone, and of an item. */
  renderAside?: (milestone: MilestoneView) => ReactNode
  renderItemAside?: (milestone: MilestoneView, item: ItemView) => ReactNode
}

/** The milestones of a program, with a button that ticks each item or completes its task. Works without JavaScript. */
export function MilestoneList({ milestones, action, renderAside, renderItemAside }: Props) {
  return (
    <ol className="grid gap-4" aria-label="Milestones">
      {milestones.map((milestone) => (
        <li key={milestone.id} className="card overflow-hidden">
          <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1 basis-48">
              <h2 className="h2 wrap-anywhere">{milestone.title}</h2>
              <p className="text-sm text-ink-3">
                {milestone.hasBegun ? 'Began' : 'Begins'}: {milestone.begins}
              </p>
              {milestone.description && (
                <p className="mt-1 whitespace-pre-line text-ink-2 wrap-anywhere">{milestone.description}</p>
              )}
            </div>
            {milestone.isDone && <Badge tone="success">Done</Badge>}
            {renderAside?.(milestone)}
          </div>
          {milestone.items.length > 0 && (
            <ul className="rows border-t border-line-soft" aria-label={milestone.title}>
              {milestone.items.map((item) => (
                <Row key={item.id} item={item} action={action}>
                  {renderItemAside?.(milestone, item)}
                </Row>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}

function Row({ item, action, children }: { item: ItemView; action: string; children: ReactNode }) {
  const { title, doneOn, to, kindLabel, isCoachs, isMissing } = item
  const text = `wrap-anywhere ${doneOn ? 'text-ink-3 line-through' : 'font-medium'}`
  return (
    <li className="flex items-start gap-2 py-2 pr-4 pl-3">
      <Toggle item={item} action={action} />
      <div className="min-w-0 flex-1 pt-1.5">
        {to ? (
          <Link to={to} className={`${text} hover:underline`}>
            {title}
          </Link>
        ) : (
          <p className={text}>{title}</p>
        )}
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-3">
          {kindLabel && <span>{kindLabel}</span>}
          {isCoachs && <span>Yours, not shown to the client</span>}
          {isMissing && <span>Deleted or not available</span>}
          <When item={item} />
        </p>
      </div>
      {children}
    </li>
  )
}

function When({ item: { doneOn, due, isOverdue } }: { item: ItemView }) {
  if (doneOn) return <span>Done: {doneOn}</span>
  if (!due) return null
  return (
    <span
      className={isOverdue ? 'font-medium text-danger-text' : ''}
    >{`${isOverdue ? 'Overdue' : 'Due'}: ${due}`}</span>
  )
}

/** A button that ticks the item, or completes its task on the page of tasks, which leads back. */
function Toggle({ item, action }: { item: ItemView; action: string }) {
  const { id, title, doneOn, isTicked, toggle } = item
  const Icon = doneOn ? CircleCheck : Circle
  if (!isTicked && !toggle)
    return (
      <span className="btn btn-icon pointer-events-none text-ink-3" aria-hidden="true">
        <Icon className="i" />
      </span>
    )
  return (
    <Form method="post" action={toggle?.action ?? action} preventScrollReset>
      <input type="hidden" name="intent" value={doneOn ? 'reopen' : 'complete'} />
      <input type="hidden" name="id" value={toggle?.id ?? id} />
      <button
        type="submit"
        className="btn btn-ghost btn-icon"
        aria-label={`${doneOn ? 'Reopen' : 'Complete'} ${title}`}
      >
        <Icon className="i" />
      </button>
    </Form>
  )
}
