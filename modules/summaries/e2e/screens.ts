import { Readable } from 'node:stream'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { setRecordingState } from '#modules/scheduling/index.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findConsents } from '#modules/summaries/queries/consents.ts'
import { findSummary, getSummary } from '#modules/summaries/queries/summaries.ts'
import { findTranscript } from '#modules/summaries/queries/transcripts.ts'
import { recordingKind } from '#modules/summaries/recordings/erase.ts'
import { insertRecording, setKept } from '#modules/summaries/recordings/recordings.ts'
import { addSilentRecording, createSilence } from '#modules/summaries/seed/recording.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { summarizeSession } from '#modules/summaries/services/generation.ts'
import { approveSummary, markShared, updateSummary } from '#modules/summaries/services/summaries.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import { summaryLink } from '#modules/summaries/sharing/public-link.ts'
import { keepFile, withContent } from '#tenants/files/files.ts'
import { contextFor, createClient, getClients, inTenant, type Coach } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** Records of the completed session, with the longest texts. */
  interface World {
    transcript: number
    sessionSummary: number
    consent: number
    /** Its summary waits for approval, its recording is kept, and another one was held before it. */
    draftSession: number
    /** Its recording could not be transcribed. */
    failedRecording: number
    /** A session of the coach `unverified`, who is asked which of two recordings belongs to it. */
    searchedSession: number
    /** The path of the link in the email to the client. */
    sharedSummary: string
  }
}

const toSession = ({ completedSession }: World) => `/session-summaries/${completedSession}`

export const screens: Screen[] = [
  { name: 'session-summaries', route: '/session-summaries', path: '/session-summaries', as: 'full' },
  { name: 'session-summaries-empty', route: '/session-summaries', path: '/session-summaries', as: 'newcomer' },
  { name: 'session-summary', route: '/session-summaries/:id', path: toSession, as: 'full' },
  {
    name: 'session-summary-draft',
    route: '/session-summaries/:id',
    path: ({ draftSession }) => `/session-summaries/${draftSession}`,
    as: 'full',
  },
  {
    name: 'session-recording-failed',
    route: '/session-summaries/:id',
    path: ({ failedRecording }) => `/session-summaries/${failedRecording}`,
    as: 'full',
  },
  {
    name: 'session-recording-search',
    route: '/session-summaries/:id',
    path: ({ searchedSession }) => `/session-summaries/${searchedSession}`,
    as: 'unverified',
  },
  {
    name: 'session-summary-unapprove',
    route: '/session-summaries/:id',
    path: (world) => `${toSession(world)}?dialog=unapprove`,
    as: 'full',
  },
  {
    name: 'session-summary-line',
    route: '/session-summaries/:id',
    path: (world) => `${toSession(world)}?line=2`,
    as: 'full',
  },
  {
    name: 'session-summary-withdraw',
    route: '/session-summaries/:id',
    path: (world) => `${toSession(world)}?dialog=withdraw`,
    as: 'full',
  },
  {
    name: 'session-without-consent',
    route: '/session-summaries/:id',
    path: ({ session }) => `/session-summaries/${session}`,
    as: 'full',
  },
  {
    name: 'session-consent',
    route: '/session-summaries/:id',
    path: ({ session }) => `/session-summaries/${session}?dialog=consent`,
    as: 'full',
  },
  {
    name: 'session-summary-edit',
    route: '/session-summaries/:id/edit',
    path: (world) => `${toSession(world)}/edit`,
    as: 'full',
  },
  {
    name: 'session-notes-settings',
    route: '/settings/session-notes',
    path: '/settings/session-notes',
    as: 'full',
  },
  {
    name: 'shared-summary',
    route: '/summary/:token',
    path: ({ sharedSummary }) => sharedSummary,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'transcript-history',
    route: '/history/session_transcript/:id',
    path: ({ transcript }) => `/history/session_transcript/${transcript}`,
    as: 'full',
  },
  {
    name: 'summary-history',
    route: '/history/session_summary/:id',
    path: ({ sessionSummary }) => `/history/session_summary/${sessionSummary}`,
    as: 'full',
  },
  {
    name: 'consent-history',
    route: '/history/recording_consent/:id',
    path: ({ consent }) => `/history/recording_consent/${consent}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, unverified, longText, completedSession }: World): Promise<Partial<World>> {
  const long = longText.slice(0, 60).toWellFormed().replaceAll(':', '')
  const content = [
    `[00:00:05] ${long}: Where do you want to begin today?`,
    `[00:00:20] Ada: ${longText}`,
    '[01:02:00] Ada: I will write the letter to the board by Friday and send it to you.',
    '[01:03:10] Ada: The meeting went better because I waited before I answered.',
  ].join('\n')
  await inTenant(full, async (tx) => {
    await giveConsent(tx, { appointmentId: completedSession }, { channel: 'spoken', wording: standardWording })
    await addTranscript(tx, completedSession, { source: 'paste', fileName: null, content, field: 'text' })
  })
  await summarizeSession(await contextFor(full), completedSession)
  const draftSession = await addDraft(full, content)
  await addRecording(full, draftSession, long)
  const failedRecording = await addCompleted(full, 'Walk')
  await addSilentRecording(await contextFor(full), failedRecording)
  const searchedSession = await addSearched(unverified, longText)
  return inTenant(full, async (tx) => {
    const { id } = (await findSummary(tx, completedSession))!
    const added = { text: longText.slice(0, 1000), lines: [], quote: '' }
    const { takeaways } = await getSummary(tx, id)
    await updateSummary(tx, id, { takeaways: [...takeaways, added] })
    await approveSummary(tx, id)
    await markShared(tx, id, 'other')
    const { ofSession } = await findConsents(tx, { id: completedSession, clientId: null })
    return {
      transcript: (await findTranscript(tx, completedSession))!.id,
      sessionSummary: id,
      consent: ofSession!.id,
      draftSession,
      failedRecording,
      searchedSession,
      sharedSummary: summaryLink.getPath(tx, id),
    }
  })
}

/** Two sessions of a client: the summary of the first is approved, that of the second is not. */
async function addDraft(full: Coach, content: string): Promise<number> {
  const ctx = await contextFor(full)
  const ids: number[] = []
  for (const daysAgo of [9, 2]) {
    const id = await addCompleted(full, 'Before the board', daysAgo)
    await inTenant(full, (tx) => addTranscript(tx, id, { source: 'paste', fileName: null, content, field: 'text' }))
    await summarizeSession(ctx, id)
    ids.push(id)
  }
  await inTenant(full, async (tx) => approveSummary(tx, (await findSummary(tx, ids[0]!))!.id))
  return ids[1]!
}

/** A completed session of the newest client, with consent. */
async function addCompleted(coach: Coach, title: string, daysAgo = 1): Promise<number> {
  const [client] = await getClients(coach)
  return inTenant(coach, async (tx) => {
    const start = tx.now().getTime() - daysAgo * 86_400_000
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
    const { id } = await createAppointment(tx, NewAppointment.parse({ title, clientId: client!.id, ...times }))
    await completeSession(tx, id, { notes: null })
    await giveConsent(tx, { appointmentId: id }, { channel: 'spoken', wording: standardWording })
    return id
  })
}

/** A recording that is kept, beside its transcript. */
async function addRecording(coach: Coach, appointmentId: number, name: string): Promise<void> {
  const ctx = await contextFor(coach)
  await withContent(ctx, Readable.from([createSilence()]), {}, async (tx, content) => {
    const id = await insertRecording(tx, appointmentId, async (recordId) => {
      const fileId = await keepFile(tx, content, { kind: recordingKind, recordId })
      return { fileId, name: `${name}.wav`, size: content.size }
    })
    await setKept(tx, { id, appointmentId })
  })
}

/** A session with two recordings at about its time, of which the coach chooses one. */
async function addSearched(coach: Coach, longText: string): Promise<number> {
  await createClient({ coach, name: 'Grace Hopper' })
  const id = await addCompleted(coach, 'Spring plan')
  await inTenant(coach, async (tx) => {
    await setRecordingState(tx, [id], {
      recordingDetectionStatus: 'not_found',
      recordingDetectionAttempts: 8,
      lastRecordingDetectionAttempt: tx.now(),
    })
    for (const title of ['Meeting', longText.slice(0, 255)])
      await tx.query({
        text: `insert into recording_candidate (coach_id, appointment_id, source, source_id, title, start_time, end_time)
          select coach_id, id, 'zoom', $3, $3, start_time, end_time from appointment where coach_id = $1 and id = $2`,
        values: [coach.id, id, title],
      })
  })
  return id
}
