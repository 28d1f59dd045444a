import type { DemoPractice } from '#modules/core/manifest.ts'
import { listAppointments, type AppointmentRecord } from '#modules/scheduling/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { standardWording } from './fields.ts'
import { findConsents } from './queries/consents.ts'
import { findSummary, hasSummaries } from './queries/summaries.ts'
import { conversations, toVtt } from './seed/conversations.ts'
import { addSilentRecording } from './seed/recording.ts'
import { giveConsent } from './services/consents.ts'
import { summarizeSession } from './services/generation.ts'
import { saveSettings } from './services/settings.ts'
import { approveSummary } from './services/summaries.ts'
import { addTranscript } from './services/transcripts.ts'

const days = 86_400_000

/** Adds transcripts and summaries of the latest sessions, of each client one, unless there are summaries already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if (await hasSummaries(ctx)) return
  const from = new Date(now.getTime() - 120 * days)
  const all = (await listAppointments(ctx, { from, to: now })).reverse()
  const sessions = all.filter(isFirstOfClient).slice(0, conversations[which].length)
  const silent = all.find(
    (session) => session.sessionCompleted && session.clientId !== null && !sessions.includes(session),
  )
  await ctx.write(async (tx) => {
    await saveSettings(tx, { wording: null, transcriptDays: 730, recordingDays: null })
    // The last one stays a draft.
    for (const [index, session] of sessions.entries())
      await addSession(tx, session, conversations[which][index]!, { isDraft: index === 0 })
    if (silent) await ensureConsent(tx, silent)
  })
  if (silent) await addSilentRecording(ctx, silent.id)
}

function isFirstOfClient(session: AppointmentRecord, index: number, all: AppointmentRecord[]): boolean {
  return (
    session.sessionCompleted &&
    session.clientId !== null &&
    all.findIndex((one) => one.sessionCompleted && one.clientId === session.clientId) === index
  )
}

async function ensureConsent(tx: WriteCtx, session: AppointmentRecord): Promise<void> {
  const { ofClient } = await findConsents(tx, session)
  if (ofClient) return
  const then: WriteCtx = { ...tx, now: () => new Date(session.startTime) }
  await giveConsent(then, { clientId: session.clientId! }, { channel: 'spoken', wording: standardWording })
}

type Turns = (typeof conversations)['first'][number]

async function addSession(
  tx: WriteCtx,
  session: AppointmentRecord,
  turns: Turns,
  { isDraft }: { isDraft: boolean },
): Promise<void> {
  const { id, clientName, endTime } = session
  const at = (time: string): WriteCtx => ({ ...tx, now: () => new Date(time) })
  await ensureConsent(tx, session)
  const names = { coach: `${tx.account.firstName} ${tx.account.lastName}`, client: clientName! }
  await addTranscript(at(endTime), id, {
    source: 'upload',
    fileName: 'meeting.vtt',
    content: toVtt(turns, names),
    field: 'file',
  })
  await summarizeSession(at(endTime), id)
  const summary = await findSummary(tx, id)
  if (summary && !isDraft) await approveSummary(at(endTime), summary.id)
}
