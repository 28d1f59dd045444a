import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findConsents } from '#modules/summaries/queries/consents.ts'
import { findSummary, getSummary } from '#modules/summaries/queries/summaries.ts'
import { findTranscript } from '#modules/summaries/queries/transcripts.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { summarizeSession } from '#modules/summaries/services/generation.ts'
import { approveSummary, markShared, updateSummary } from '#modules/summaries/services/summaries.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import { summaryLink } from '#modules/summaries/sharing/public-link.ts'
import { contextFor, getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** Records of the completed session, with the longest texts. */
  interface World {
    transcript: number
    sessionSummary: number
    consent: number
    /** Its summary waits for approval; another one was held before it. */
    draftSession: number
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
export async function world({ full, longText, completedSession }: World): Promise<Partial<World>> {
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
      sharedSummary: summaryLink.getPath(tx, id),
    }
  })
}

/** Two sessions of a client: the summary of the first is approved, that of the second is not. */
async function addDraft(full: World['full'], content: string): Promise<number> {
  const [client] = await getClients(full)
  const ctx = await contextFor(full)
  const ids: number[] = []
  for (const daysAgo of [9, 2]) {
    const start = ctx.now().getTime() - daysAgo * 86_400_000
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
    const id = await inTenant(full, async (tx) => {
      const created = await createAppointment(
        tx,
        NewAppointment.parse({ title: 'Before the board', clientId: client!.id, ...times }),
      )
      await completeSession(tx, created.id, { notes: null })
      await giveConsent(tx, { appointmentId: created.id }, { channel: 'spoken', wording: standardWording })
      await addTranscript(tx, created.id, { source: 'paste', fileName: null, content, field: 'text' })
      return created.id
    })
    await summarizeSession(ctx, id)
    ids.push(id)
  }
  await inTenant(full, async (tx) => approveSummary(tx, (await findSummary(tx, ids[0]!))!.id))
  return ids[1]!
}
