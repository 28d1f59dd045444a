import { Form } from '@remix-run/react'
import { MessageSquare, Pencil, Plus, Sparkles, Trash2 } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

export type ContactLine = { id: number; name: string; day: string; words: string | null; source: string }

/** The latest contacts, each to edit and to delete. `still`: only to read, while the page itself is edited. */
export function RecentContact({
  clientId,
  contacts,
  more,
  addressOf,
  still = false,
}: {
  clientId: number
  contacts: ContactLine[]
  /** There are others. */
  more: boolean
  addressOf: (change: Record<string, string | null>) => string
  still?: boolean
}) {
  return (
    <section className="card px-5 pb-2 pt-4" aria-labelledby="contact">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id="contact" className="h2">
          Recent Contact
        </h2>
        {!still && (
          <Link
            to={addressOf({ dialog: 'interaction' })}
            preventScrollReset
            aria-label="Add interaction"
            className="btn btn-ghost btn-sm btn-icon -mr-1.5"
          >
            <Plus className="i" />
          </Link>
        )}
      </div>
      {contacts.length === 0 && <p className="pb-3 text-ink-3">No contact written down yet.</p>}
      <ol>
        {contacts.map((contact, at) => (
          <li key={contact.id} className="flex gap-3">
            <span aria-hidden="true" className="flex flex-col items-center">
              <span className="grid size-7 shrink-0 place-items-center rounded-full border border-line text-ink-2">
                {contact.source === 'manual' ? (
                  <MessageSquare className="i !size-3.5" />
                ) : (
                  <Sparkles className="i !size-3.5" />
                )}
              </span>
              {at < contacts.length - 1 && <span className="w-px flex-1 bg-line" />}
            </span>
            <div className="min-w-0 flex-1 pb-4">
              <div className="flex items-start gap-1">
                <p className="min-w-0 flex-1 pt-1 font-medium wrap-anywhere">{contact.name}</p>
                {!still && (
                  <InteractionTools
                    contact={contact}
                    editTo={addressOf({ dialog: 'interaction', interaction: String(contact.id) })}
                  />
                )}
              </div>
              <p className="text-sm text-ink-3">
                {contact.day}
                {contact.source !== 'manual' && ', auto-generated'}
              </p>
              {contact.words && <p className="mt-1 line-clamp-2 text-ink-2 wrap-anywhere">{contact.words}</p>}
            </div>
          </li>
        ))}
      </ol>
      {!still && (more || contacts.length > 0) && (
        <p className="-mx-5 border-t border-line-soft px-5 py-2.5">
          <Link to={`/clients/${clientId}/interactions`} className="link text-sm">
            View all interactions
          </Link>
        </p>
      )}
    </section>
  )
}

/** Edit and delete, as icons. Deleting needs no question: it can be undone. */
export function InteractionTools({ contact, editTo }: { contact: { id: number; name: string }; editTo: string }) {
  return (
    <span className="flex shrink-0">
      <Link
        to={editTo}
        preventScrollReset
        aria-label={`Edit ${contact.name}`}
        className="btn btn-ghost btn-sm btn-icon"
      >
        <Pencil className="i" />
      </Link>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={contact.id} />
        <Button
          type="submit"
          name="intent"
          value="delete-interaction"
          variant="ghost"
          size="sm"
          className="btn-icon"
          aria-label={`Delete ${contact.name}`}
        >
          <Trash2 className="i" />
        </Button>
      </Form>
    </span>
  )
}
