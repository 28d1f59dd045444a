import { LinkedText } from '#app/ui/components/linked-text.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ThreadView } from '../thread-view.ts'
import { Attachments } from './attachments.tsx'

/** The messages of a thread, oldest first. `other`: the name of the one who isn't reading. */
export function MessageList({
  thread: { messages, earlier },
  other,
  path,
}: {
  thread: ThreadView
  other: string
  path: string
}) {
  return (
    <>
      {earlier && (
        <p className="mb-4">
          <Link className="link hit" to={`${path}?before=${earlier}`}>
            Earlier messages
          </Link>
        </p>
      )}
      <ol className="grid gap-3" aria-label="Messages">
        {messages.map(({ id, isOwn, content, attachments, at }) => (
          <li
            key={id}
            className={`grid max-w-[34rem] gap-1 rounded-2xl px-4 py-3 ${
              isOwn ? 'ml-8 justify-self-end bg-brand-soft' : 'mr-8 justify-self-start border border-line'
            }`}
          >
            <p className="whitespace-pre-line wrap-anywhere">
              <LinkedText text={content} />
            </p>
            <Attachments attachments={attachments} isOwn={isOwn} />
            <p className="text-sm text-ink-2">
              {isOwn ? 'You' : other}, {at}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}
