import { Link } from '#app/ui/navigation/link.tsx'
import type { ThreadView } from '../thread-view.ts'

type Props = { attachments: ThreadView['messages'][number]['attachments']; isOwn: boolean }

/** The files of a message. The coach sees the name also of one that the client can't open any more. */
export function Attachments({ attachments, isOwn }: Props) {
  if (!attachments.length) return null
  return (
    <ul className="grid gap-1" aria-label="Files">
      {attachments.map(({ fileId, name, details, isAvailable, to }) => (
        <li key={fileId} className="rounded-lg border border-line bg-raised px-3 py-2">
          {name !== null && to !== null ? (
            <>
              <Link className="link hit font-medium wrap-anywhere" to={to}>
                {name}
              </Link>
              <p className="text-sm text-ink-2">
                {details}
                {isOwn && !isAvailable && ' · No longer shared with the client'}
              </p>
            </>
          ) : (
            <p className="text-sm text-ink-2">A file that is no longer available</p>
          )}
        </li>
      ))}
    </ul>
  )
}
