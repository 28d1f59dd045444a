import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'

/** Whether the client has agreed to transcripts, and to which wording. */
export function ConsentCard({ id, state, consent: { active, withdrawnOn }, session }: SessionPage) {
  const toDialog = (dialog: 'consent' | 'withdraw') => sessionUrl(id).href(state, { dialog })
  return (
    <Card title="Consent">
      <div className="grid gap-3 border-t border-line-soft px-5 py-4">
        {active ? (
          <>
            <p>
              <span className="font-medium">Given on {active.givenOn}</span>
              <span className="block text-sm text-ink-3 wrap-anywhere">
                {active.channel}. {active.scope}.
              </span>
            </p>
            <blockquote className="prose-serif border-l-2 border-line pl-3 text-ink-2 wrap-anywhere">
              {active.wording}
            </blockquote>
            <div className="flex flex-wrap gap-2">
              <ButtonLink
                variant="danger-ghost"
                className="-ml-2.5"
                to={toDialog('withdraw')}
                replace
                preventScrollReset
              >
                Withdraw Consent
              </ButtonLink>
              <HistoryLink kind="recording_consent" id={active.id} />
            </div>
          </>
        ) : (
          <>
            <p className="text-ink-2 wrap-anywhere">
              {withdrawnOn
                ? `Withdrawn on ${withdrawnOn}. Everything that came from the transcripts was deleted.`
                : `Without the consent of ${session.name} nothing can be transcribed or uploaded.`}
            </p>
            <ButtonLink className="justify-self-start" to={toDialog('consent')} replace preventScrollReset>
              Record Consent
            </ButtonLink>
          </>
        )}
      </div>
    </Card>
  )
}
