import { Form, useNavigation } from '@remix-run/react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'

type Recording = NonNullable<SessionPage['recording']>

/** A recording that becomes the transcript, or why it did not. */
export function RecordingCard({ id, state, recording, canTranscribe }: SessionPage & { recording: Recording }) {
  const navigation = useNavigation()
  const busy = navigation.formData?.get('intent') === 'retry-recording'
  return (
    <Card title="Recording">
      <div className="flex flex-wrap items-center gap-3 border-t border-line-soft px-5 py-5">
        <div className="grid min-w-48 flex-1 gap-1">
          <p className={recording.isOpen || recording.player ? 'text-ink-2' : 'text-danger-text'} role="status">
            {recording.message}
          </p>
          <p className="text-sm text-ink-3 wrap-anywhere">{recording.label}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {!recording.isOpen && canTranscribe && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="retry-recording" />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" busy={busy} busyLabel="Starting...">
                Try Again
              </Button>
            </Form>
          )}
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
