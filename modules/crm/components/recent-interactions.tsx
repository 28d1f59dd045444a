import { Form } from '@remix-run/react'
import { Pencil, Plus, Sparkles, Trash2 } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { interactionIcon } from './interaction-icon.ts'

export type InteractionSummary = { id: number; name: string; day: string; excerpt: string | null; source: string }

/**
 * The latest interactions. `readOnly`: nothing can be added or edited; `isEditing`: the page itself is in edit mode.
 */
export function RecentInteractions({
  clientId,
  interactions,
  hasMore,
  pageHref,
  readOnly = false,
  isEditing = false,
}: {
  clientId: number
  interactions: InteractionSummary[]
  hasMore: boolean
  pageHref: (change: Record<string, string | null>) => string
  readOnly?: boolean
  isEditing?: boolean
}) {
  return (
    <section className="card px-5 pb-2 pt-4" aria-labelledby="contact">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id="contact" className="h2">
          Recent Contact
        </h2>
        {!readOnly && !isEditing && (
          <Link
            to={pageHref({ dialog: 'interaction' })}
            preventScrollReset
            aria-label="Add interaction"
            className="btn btn-ghost btn-sm btn-icon -mr-1.5"
          >
            <Plus className="i" />
          </Link>
        )}
      </div>
      {interactions.length === 0 && <p className="pb-3 text-ink-3">No contact logged yet.</p>}
      <ol>
        {interactions.map((interaction, index) => (
          <li key={interaction.id} className="flex gap-3">
            <span aria-hidden="true" className="flex flex-col items-center">
              <span className="grid size-7 shrink-0 place-items-center rounded-full border border-line text-ink-2">
                <InteractionIcon interaction={interaction} />
              </span>
              {index < interactions.length - 1 && <span className="w-px flex-1 bg-line" />}
            </span>
            <div className="min-w-0 flex-1 pb-4">
              <div className="flex items-start gap-1">
                <p className="min-w-0 flex-1 pt-1 font-medium wrap-anywhere">{interaction.name}</p>
                {!isEditing && (
                  <InteractionActions
                    interaction={interaction}
                    editTo={readOnly ? null : pageHref({ dialog: 'interaction', interaction: String(interaction.id) })}
                  />
                )}
              </div>
              <p className="text-sm text-ink-3">
                {interaction.day}
                {interaction.source !== 'manual' && ', auto-generated'}
              </p>
              {interaction.excerpt && (
                <p className="mt-1 line-clamp-2 text-ink-2 wrap-anywhere">{interaction.excerpt}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {!isEditing && (hasMore || interactions.length > 0) && (
        <p className="-mx-5 border-t border-line-soft px-5 py-2.5">
          <Link to={`/clients/${clientId}/interactions`} className="link hit text-sm">
            View all interactions
          </Link>
        </p>
      )}
    </section>
  )
}

function InteractionIcon({ interaction: { name, source } }: { interaction: InteractionSummary }) {
  const Icon = source === 'manual' ? interactionIcon(name) : Sparkles
  return <Icon className="i !size-3.5" />
}

/** Deleting needs no confirmation: its toast has an Undo button. */
export function InteractionActions({
  interaction,
  editTo,
}: {
  interaction: { id: number; name: string }
  editTo: string | null
}) {
  return (
    <span className="flex shrink-0">
      {editTo && (
        <Link
          to={editTo}
          preventScrollReset
          aria-label={`Edit ${interaction.name}`}
          className="btn btn-ghost btn-sm btn-icon"
        >
          <Pencil className="i" />
        </Link>
      )}
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={interaction.id} />
        <Button
          type="submit"
          name="intent"
          value="delete-interaction"
          variant="ghost"
          size="sm"
          className="btn-icon"
          aria-label={`Delete ${interaction.name}`}
        >
          <Trash2 className="i" />
        </Button>
      </Form>
    </span>
  )
}
