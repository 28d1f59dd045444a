import { Form } from '@remix-run/react'
import { ArrowDown, ArrowUp, Plus } from 'lucide-react'
import { ButtonLink, IconButton } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { limits } from '../fields.ts'
import { templateUrl } from '../list-state.ts'
import type { TemplatePage } from '../template-loader.server.ts'

/** The milestones of a template with their items, and buttons that move each. Works without JavaScript. */
export function TemplateList({ id, milestones, kinds }: TemplatePage) {
  const url = templateUrl(id)
  return (
    <ol className="grid gap-4" aria-label="Milestones">
      {milestones.map((milestone, index) => (
        <li key={milestone.id} className="card overflow-hidden">
          <div className="flex items-start gap-2 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <h2 className="h2 wrap-anywhere">
                <Link
                  className="hover:underline"
                  to={url.href({ dialog: 'milestone', milestone: milestone.id })}
                  preventScrollReset
                >
                  {milestone.title}
                </Link>
              </h2>
              <p className="text-sm text-ink-3">Week {milestone.week}</p>
              {milestone.description && (
                <p className="mt-1 whitespace-pre-line text-ink-2 wrap-anywhere">{milestone.description}</p>
              )}
            </div>
            <Move
              fields={{ intent: 'move', id, milestone: milestone.id }}
              title={milestone.title}
              index={index}
              count={milestones.length}
            />
          </div>
          {milestone.items.length > 0 && (
            <ol className="rows border-t border-line-soft" aria-label={`Items of ${milestone.title}`}>
              {milestone.items.map((item, at) => (
                <li key={item.id} className="flex items-center gap-2 py-2 pr-5 pl-5">
                  <div className="min-w-0 flex-1">
                    <Link
                      className="font-medium wrap-anywhere hover:underline"
                      to={url.href({ dialog: 'item', milestone: milestone.id, item: item.id, kind: item.kind })}
                      preventScrollReset
                    >
                      {item.title}
                    </Link>
                    <p className="text-sm text-ink-3">{item.details}</p>
                  </div>
                  <Move
                    fields={{ intent: 'move-item', id, milestone: milestone.id, item: item.id }}
                    title={item.title}
                    index={at}
                    count={milestone.items.length}
                  />
                </li>
              ))}
            </ol>
          )}
          <nav
            aria-label={`Add to ${milestone.title}`}
            className="flex flex-wrap gap-2 border-t border-line-soft px-5 py-3"
          >
            {milestone.isFull ? (
              <p className="text-sm text-ink-3">A milestone has at most {limits.items} items.</p>
            ) : (
              kinds.map(({ kind, label }) => (
                <ButtonLink
                  key={kind}
                  size="sm"
                  icon={Plus}
                  to={url.href({ dialog: 'item', milestone: milestone.id, kind })}
                  preventScrollReset
                  aria-label={`Add ${label} to ${milestone.title}`}
                >
                  {label}
                </ButtonLink>
              ))
            )}
          </nav>
        </li>
      ))}
    </ol>
  )
}

type MoveProps = { fields: Record<string, string | number>; title: string; index: number; count: number }

function Move({ fields, title, index, count }: MoveProps) {
  return (
    <Form method="post" preventScrollReset className="flex">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <IconButton
        type="submit"
        name="to"
        value={index - 1}
        size="sm"
        icon={ArrowUp}
        label={`Move “${title}” up`}
        disabled={index === 0}
      />
      <IconButton
        type="submit"
        name="to"
        value={index + 1}
        size="sm"
        icon={ArrowDown}
        label={`Move “${title}” down`}
        disabled={index === count - 1}
      />
    </Form>
  )
}
