import { useEffect, useRef } from 'react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'

type Recording = NonNullable<SessionPage['recording']>
type Props = SessionPage & { recording: Recording & { player: NonNullable<Recording['player']> } }

/** Plays a recording that is kept. It goes to the line of the transcript that is marked, and a click on a citation plays it. */
export function PlayerCard({ id, state, transcript, recording: { fileName, message, label, player } }: Props) {
  const element = useRef<HTMLMediaElement | null>(null)
  const seconds = transcript?.lines.find(({ n }) => n === state.line)?.seconds ?? null
  const isFirst = useRef(true)
  useEffect(() => {
    const media = element.current
    const wasFirst = isFirst.current
    isFirst.current = false
    if (!media || seconds === null) return
    media.currentTime = seconds
    // A browser may refuse to play before the user has touched the page.
    if (!wasFirst) media.play().catch(() => {})
  }, [seconds, state.line])
  const attributes = {
    src: `/api/appointments/${id}/recording/file`,
    controls: true,
    preload: 'metadata',
    'aria-label': `Recording ${fileName}`,
  } as const
  return (
    <Card title="Recording">
      <div className="grid gap-3 border-t border-line-soft px-5 py-4">
        {/* The transcript below has the text. */}
        {player.isVideo ? (
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <video
            {...attributes}
            ref={(media) => void (element.current = media)}
            className="max-h-96 w-full rounded-md bg-black"
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <audio {...attributes} ref={(media) => void (element.current = media)} className="w-full" />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-48 flex-1 text-sm text-ink-3 wrap-anywhere">
            {label}. {message}
          </p>
          <ButtonLink
            variant="danger-ghost"
            to={sessionUrl(id).href(state, { dialog: 'delete-recording' })}
            replace
            preventScrollReset
          >
            Delete
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}
