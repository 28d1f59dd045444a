import { Form, Link } from '@remix-run/react'
import { Trash2, Undo2 } from 'lucide-react'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { listAddress, type ListState } from '../list-state.ts'

export type TrashRow = { id: number; name: string; email: string; erased: string }

/** What was deleted, until it is erased. */
export function TrashList({ rows, state }: { rows: TrashRow[]; state: ListState }) {
  return (
    <ul className="rows rounded-lg border border-line">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
          <Avatar name={row.name} />
          <span className="min-w-0 flex-1 basis-48">
            <span className="block truncate font-semibold">{row.name}</span>
            <span className="block truncate text-sm text-ink-3">
              {row.email} · erased on {row.erased}
            </span>
          </span>
          <Form method="post" className="flex gap-2" preventScrollReset>
            <input type="hidden" name="id" value={row.id} />
            <Button type="submit" size="sm" icon={Undo2} name="intent" value="restore" aria-label={`Restore ${row.name}`}>
              Restore
            </Button>
            <Link
              to={listAddress(state, {}, { dialog: 'erase', client: String(row.id) })}
              preventScrollReset
              className="btn btn-ghost btn-sm btn-icon"
              aria-label={`Delete ${row.name} forever`}
            >
              <Trash2 className="i" />
            </Link>
          </Form>
        </li>
      ))}
    </ul>
  )
}
