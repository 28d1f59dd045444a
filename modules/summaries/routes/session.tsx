import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Calendar, Check } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { requireFile } from '#app/lib/upload.server.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { LifecycleBadge } from '#app/ui/components/lifecycle-badge.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { DiscardUploadDialog } from '#app/ui/forms/started-uploads.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { discardUpload } from '#modules/core/discard-upload.server.ts'
import { ById, formActions, NoInput } from '#modules/core/form-actions.server.ts'
import { sessionMessages } from '../action-messages.ts'
import { AddTranscript } from '../components/add-transcript.tsx'
import { ConsentCard } from '../components/consent-card.tsx'
import { ConsentDialog } from '../components/consent-dialog.tsx'
import { GenerateButton } from '../components/generate-button.tsx'
import { PlayerCard } from '../components/player-card.tsx'
import { PreviousSummaryCard } from '../components/previous-summary-card.tsx'
import { RecordingCard } from '../components/recording-card.tsx'
import { SearchCard } from '../components/search-card.tsx'
import { SummaryCard } from '../components/summary-card.tsx'
import { TranscriptCard } from '../components/transcript-card.tsx'
import { useReloadWhile } from '#app/ui/navigation/use-reload-while.ts'
import { chooseCandidate, searchAgain } from '../detection/search.ts'
import { ApproveForm, ChoiceForm, ConsentForm, PasteForm, RecordingForm, UploadForm } from '../forms.ts'
import { showSummaryError } from '../generate-error.ts'
import { sessionUrl } from '../list-state.ts'
import { addRecording, deleteRecording, retryRecording } from '../recordings/recordings.ts'
import { loadSession } from '../session-loader.server.ts'
import { giveConsentOnDate, withdrawConsent } from '../services/consents.ts'
import { requestSummary } from '../services/generation.ts'
import {
  approveSummary,
  deleteSummary,
  markShared,
  restoreSummary,
  unapproveSummary,
  unshareSummary,
} from '../services/summaries.ts'
import { addTranscript, deleteTranscript, restoreTranscript } from '../services/transcripts.ts'
import { shareByEmail } from '../sharing/email.ts'
import { transcriptLimits } from '../types.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `${data.session.title}, Session Notes` : 'Session Notes')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadSession(context.coach(), parseId(params.id), request.url)
}

const noFileError = () => new AppError('validation_failed', 'Choose a transcript file.', { field: 'file' })
const tooLargeError = () =>
  new AppError('validation_failed', 'This transcript is too large. Upload at most 5 MB of text.', { field: 'file' })

export const action = formActions(
  sessionMessages,
  {
    generate: {
      schema: ById,
      run: (ctx, { id }) => requestSummary(ctx, id),
      onError: (error, { form }) => showSummaryError(error, Number(form.get('id'))),
    },
    consent: { schema: ConsentForm, run: giveConsentOnDate },
    withdraw: { schema: ById, run: (ctx, { id }) => withdrawConsent(ctx, id) },
    upload: {
      schema: UploadForm,
      run: async (ctx, input, { params }) => {
        const maxBytes = transcriptLimits.bytes
        const file = requireFile(input.file, { maxBytes, missing: noFileError, tooLarge: tooLargeError })
        const content = new Uint8Array(await file.arrayBuffer())
        const fileName = [...file.name.toWellFormed().replace(/\p{Cc}/gu, '')].slice(0, 255).join('')
        return addTranscript(ctx, parseId(params.id), { source: 'upload', fileName, content, field: 'file' })
      },
    },
    paste: {
      schema: PasteForm,
      run: (ctx, { text }, { params }) =>
        addTranscript(ctx, parseId(params.id), { source: 'paste', fileName: null, content: text, field: 'text' }),
    },
    searchAgain: { schema: NoInput, run: (ctx, _input, { params }) => searchAgain(ctx, parseId(params.id)) },
    choose: { schema: ChoiceForm, run: (ctx, input, { params }) => chooseCandidate(ctx, parseId(params.id), input) },
    recording: { schema: RecordingForm, run: (ctx, input, { params }) => addRecording(ctx, parseId(params.id), input) },
    'discard-upload': discardUpload,
    'retry-recording': {
      schema: ById,
      run: (ctx, { id }) => retryRecording(ctx, id),
      onError: (error, { form }) => showSummaryError(error, Number(form.get('id'))),
    },
    'delete-recording': { schema: ById, run: (ctx, { id }) => deleteRecording(ctx, id) },
    'delete-transcript': {
      schema: ById,
      run: (ctx, { id }) => deleteTranscript(ctx, id),
      undo: 'restore-transcript',
    },
    'restore-transcript': { schema: ById, run: (ctx, { id }) => restoreTranscript(ctx, id) },
    approve: { schema: ApproveForm, run: (ctx, { id, ...approval }) => approveSummary(ctx, id, approval) },
    unapprove: { schema: ById, run: (ctx, { id }) => unapproveSummary(ctx, id) },
    email: { schema: ById, run: (ctx, { id }) => shareByEmail(ctx, id) },
    share: { schema: ById, run: (ctx, { id }) => markShared(ctx, id, 'other') },
    unshare: { schema: ById, run: (ctx, { id }) => unshareSummary(ctx, id) },
    'delete-summary': { schema: ById, run: (ctx, { id }) => deleteSummary(ctx, id), undo: 'restore-summary' },
    'restore-summary': { schema: ById, run: (ctx, { id }) => restoreSummary(ctx, id) },
  },
  { maxFileBytes: transcriptLimits.bytes, dialog: ['dialog', 'upload'] },
)

export const clientAction = formClientAction(sessionMessages)

export default function SessionPage() {
  const data = useLoaderData<typeof loader>()
  const { id, session, when, client, previousSummary, summary, transcript, recording, search } = data
  useReloadWhile(session.isProcessing || recording?.isOpen === true || search?.isLooking === true)
  return (
    <Page
      title={session.title}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Session Notes', to: '/session-summaries' },
        { label: session.date },
      ]}
      description={
        <>
          {client ? (
            <Link className="link" to={`/clients/${client.id}`}>
              {client.name}
            </Link>
          ) : (
            session.name
          )}
          , {when}
        </>
      }
      actions={
        <>
          <SecondaryLink icon={Calendar} to={`/calendar?dialog=appointment&appointment=${id}`}>
            Open calendar
          </SecondaryLink>
          {session.canComplete && (
            <PrimaryLink icon={Check} to={`/calendar?dialog=complete&appointment=${id}`}>
              Mark Complete
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          {previousSummary && <PreviousSummaryCard previousSummary={previousSummary} client={client} />}
          {summary ? <SummaryCard {...data} summary={summary} /> : <WithoutSummary />}
          {transcript && recording?.player && (
            <PlayerCard {...data} recording={{ ...recording, player: recording.player }} />
          )}
          {transcript ? (
            <TranscriptCard {...data} transcript={transcript} />
          ) : recording ? (
            <RecordingCard {...data} recording={recording} />
          ) : (
            <>
              {search && <SearchCard {...data} search={search} />}
              <AddTranscript {...data} />
            </>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <ConsentCard {...data} />
        </div>
      </div>
      <Dialogs />
    </Page>
  )
}

function WithoutSummary() {
  const { session, transcript, recording } = useLoaderData<typeof loader>()
  return (
    <Card title="Summary">
      <div className="flex flex-wrap items-center gap-3 border-t border-line-soft px-5 py-4">
        <LifecycleBadge {...session} />
        {session.note && <span className="text-sm text-ink-3">{session.note}</span>}
        <p className="min-w-48 flex-1 text-ink-2" role={session.isProcessing ? 'status' : undefined}>
          {session.isProcessing
            ? 'The summary is being made.'
            : (transcript?.failure ??
              (session.sessionCompleted
                ? transcript
                  ? 'The transcript is here. Its summary can be made.'
                  : recording
                    ? 'The summary is made as soon as the recording is transcribed.'
                    : 'Add a transcript below: its summary is made at once.'
                : 'The summary is made once the session is completed and has a transcript.'))}
        </p>
        {session.canGenerate && <GenerateButton {...session} />}
      </div>
    </Card>
  )
}

function Dialogs() {
  const data = useLoaderData<typeof loader>()
  const { id, state, consent, summary, transcript, recording, discarded } = data
  const closeTo = sessionUrl(id).href({ ...state, dialog: null, upload: null })
  if (state.dialog === 'consent' && !consent.active) return <ConsentDialog {...data} closeTo={closeTo} />
  if (state.dialog === 'withdraw' && consent.active)
    return (
      <ConfirmDialog
        title="Withdraw Consent"
        confirm="Withdraw and Delete"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'withdraw', id: String(consent.active.id) }}
      >
        {consent.active.scope}: the transcripts, the summaries and everything that came from them, tasks too, are
        permanently deleted. This can’t be undone.
      </ConfirmDialog>
    )
  if (state.dialog === 'unapprove' && summary && summary.status !== 'draft')
    return (
      <ConfirmDialog
        title="Back to Draft"
        confirm="Back to Draft"
        busyLabel="Changing..."
        closeTo={closeTo}
        fields={{ intent: 'unapprove', id: String(summary.id) }}
      >
        The summary leaves the client’s timeline and goes to the trash there, unless you have edited it on the client’s
        page: then your version stays. A link to it stops. Its tasks are deleted, but not those that you have edited or
        completed.
      </ConfirmDialog>
    )
  if (state.dialog === 'delete-summary' && summary)
    return (
      <ConfirmDialog
        title="Delete Summary"
        confirm="Delete Summary"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-summary', id: String(summary.id) }}
      >
        The summary stays in the trash for 30 days. What is on the client’s timeline stays there, and so do the tasks.
      </ConfirmDialog>
    )
  if (state.dialog === 'delete-transcript' && transcript)
    return (
      <ConfirmDialog
        title="Delete Transcript"
        confirm="Delete Transcript"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-transcript', id: String(transcript.id) }}
      >
        The transcript stays in the trash for 30 days. The summary stays, but can no longer open the lines that it is
        from.
      </ConfirmDialog>
    )
  if (state.dialog === 'delete-recording' && recording)
    return (
      <ConfirmDialog
        title="Delete Recording"
        confirm="Delete Recording"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-recording', id: String(id) }}
      >
        {recording.fileName} is permanently deleted, also at Rev.ai. This can’t be undone.
      </ConfirmDialog>
    )
  if (state.dialog === 'discard-upload') return <DiscardUploadDialog upload={discarded} closeTo={closeTo} />
  return null
}
