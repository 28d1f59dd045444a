import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import {
  assertNotReadOnly,
  createInteraction,
  NewInteraction,
  trashLoggedInteraction,
  updateLoggedInteraction,
} from '#modules/crm/index.ts'
import { getAppointment, setRecordingState } from '#modules/scheduling/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { summaryApproved } from '../events.ts'
import { interactionSources, type ShareChannel } from '../fields.ts'
import type { SummaryEdit } from '../forms.ts'
import { findTranscript } from '../queries/transcripts.ts'
import { getSummary, listWithoutInteraction } from '../queries/summaries.ts'
import { summary, type SummaryDetails, type SummaryRecord } from '../records.ts'
import { SessionSummary, type SummaryRow } from '../schema.ts'
import type { Action, Claim } from '../types.ts'
import { formatContent, toInteraction } from './content.ts'
import { addTasks, type TaskChoice } from './session-tasks.ts'

async function lockSummary(ctx: WriteCtx, id: number): Promise<SummaryRow> {
  await getSummary(ctx, id)
  return lockRow(ctx, summary, SessionSummary, { coachId: ctx.coachId, id, deletedAt: null })
}

/** Throws plan_limit. Ending a share, deleting and withdrawing stay possible. */
async function assertClientNotReadOnly(ctx: WriteCtx, { appointment }: SummaryRow): Promise<void> {
  const { clientId } = await getAppointment(ctx, appointment.id)
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
}

/**
 * Changes the claims that are sent; those of an approved summary also in the client's interaction. A changed claim keeps its
 * source, a new one has none. Throws not_found, and conflict if it was saved after `expectedVersion`.
 */
export async function updateSummary(
  ctx: WriteCtx,
  id: number,
  input: SummaryEdit,
  expectedVersion?: number,
): Promise<SummaryDetails> {
  authorize(ctx, 'summaries:summary:write')
  await assertStorage(ctx)
  const row = await lockSummary(ctx, id)
  await assertClientNotReadOnly(ctx, row)
  summary.assertVersion(row, expectedVersion)
  const sources = new Set([...row.overview, ...row.takeaways, ...row.actions].map(sourceKey))
  const keep = <C extends Claim>(claims: C[]): C[] =>
    claims.map((claim) => (sources.has(sourceKey(claim)) ? claim : { ...claim, lines: [], quote: '' }))
  const content = {
    overview: input.overview ? keep(input.overview) : row.overview,
    takeaways: input.takeaways ? keep(input.takeaways) : row.takeaways,
    actions: input.actions ? keep<Action>(input.actions) : row.actions,
  }
  ctx.em.assign(row, {
    ...content,
    content: formatContent(content),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (row.status !== 'draft') await saveInteraction(ctx, row)
  return getSummary(ctx, id)
}

/** Nobody can cite what the transcript was not found to say: sources are only ever taken over. */
const sourceKey = ({ lines, quote }: Claim): string => JSON.stringify([lines, quote])

/** `choices`: what becomes of each action; without them all become tasks. `version`: of the summary that the coach saw. */
type Approval = { choices?: TaskChoice[]; version?: number }

/**
 * Approves a draft: the client's timeline shows it, and its actions become tasks. A second call returns the same. Throws
 * not_found, and conflict if it was saved after `version`.
 */
export async function approveSummary(
  ctx: WriteCtx,
  id: number,
  { choices, version }: Approval = {},
): Promise<SummaryRecord> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockSummary(ctx, id)
  if (row.status !== 'draft') return toRecord(ctx, id)
  summary.assertVersion(row, version)
  const actions = row.actions.map((action, index): Action => {
    const choice = choices?.find((one) => one.index === index)
    return choice?.isTask ? { ...action, owner: choice.owner, due: choice.due } : action
  })
  ctx.em.assign(row, {
    actions,
    content: formatContent({ ...row, actions }),
    status: 'approved',
    approvedAt: ctx.now(),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  const clientId = await saveInteraction(ctx, row)
  if (clientId !== null) await addTasks(ctx, { appointmentId: row.appointment.id, clientId }, row, choices)
  await publish(ctx, summaryApproved, { summaryId: id, appointmentId: row.appointment.id })
  return toRecord(ctx, id)
}

/**
 * Makes an approved summary a draft again: deletes its link and the tasks that the coach has not edited, and moves its
 * interaction to the trash unless the coach has edited it. Idempotent. Throws not_found.
 */
export async function unapproveSummary(ctx: WriteCtx, id: number): Promise<SummaryRecord> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockSummary(ctx, id)
  if (row.status === 'draft') return toRecord(ctx, id)
  const { id: appointmentId, title: name } = await getAppointment(ctx, row.appointment.id)
  const { interactionId } = row
  ctx.em.assign(row, {
    status: 'draft',
    approvedAt: null,
    sharedAt: null,
    sharedBy: null,
    interactionId: null,
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (interactionId != null)
    await trashLoggedInteraction(ctx, interactionId, { name, content: toInteraction(row).content })
  await ctx.platform.extensions.sessionTasks?.takeBack(ctx, appointmentId)
  return toRecord(ctx, id)
}

/**
 * Gives a client what was approved while they were a prospect: interactions and tasks. Does nothing the second time.
 */
export async function addApprovedToClient(ctx: WriteCtx, clientId: number): Promise<void> {
  const waiting = await listWithoutInteraction(ctx, clientId)
  for (const id of waiting) {
    const row = await lockSummary(ctx, id)
    if (row.status === 'draft' || row.interactionId != null) continue
    await saveInteraction(ctx, row)
    await addTasks(ctx, { appointmentId: row.appointment.id, clientId }, row)
  }
}

/**
 * Writes the interaction of an approved summary, once, and returns the client. A prospect has none. The `source` says whether the transcript was
 * found by itself or added by the coach (part-2 §3).
 */
async function saveInteraction(ctx: WriteCtx, row: SummaryRow): Promise<number | null> {
  const appointment = await getAppointment(ctx, row.appointment.id)
  const { clientId } = appointment
  if (clientId === null) return null
  await assertNotReadOnly(ctx, clientId)
  const { content, summary: text } = toInteraction(row)
  const changes = { name: appointment.title, content, summary: text }
  if (row.interactionId != null && (await updateLoggedInteraction(ctx, row.interactionId, changes))) return clientId
  const transcript = await findTranscript(ctx, appointment.id)
  const isFound = transcript !== null && ['zoom', 'meet', 'revai'].includes(transcript.source)
  const input = NewInteraction.parse({ name: appointment.title, content, interactionDate: appointment.startTime })
  const { id } = await createInteraction(ctx, clientId, input, {
    source: interactionSources[isFound ? 'found' : 'added'],
    summary: text,
    appointmentId: appointment.id,
  })
  row.interactionId = id
  await ctx.em.flush()
  return clientId
}

/** Notes that the client has an approved summary. Throws not_found, and conflict for a draft. */
export async function markShared(ctx: WriteCtx, id: number, sharedBy: ShareChannel): Promise<SummaryRecord> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockSummary(ctx, id)
  if (row.status === 'draft') throw new AppError('conflict', 'Approve this summary first.')
  await assertClientNotReadOnly(ctx, row)
  ctx.em.assign(row, {
    status: 'shared',
    sharedAt: ctx.now(),
    sharedBy,
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  return toRecord(ctx, id)
}

/** Ends the sharing: the link in the email no longer shows the summary. Throws not_found. */
export async function unshareSummary(ctx: WriteCtx, id: number): Promise<SummaryRecord> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockSummary(ctx, id)
  if (row.status !== 'shared') return toRecord(ctx, id)
  ctx.em.assign(row, {
    status: 'approved',
    sharedAt: null,
    sharedBy: null,
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  return toRecord(ctx, id)
}

/** Moves a summary to the trash; its interaction stays. Throws not_found, also the second time. */
export async function deleteSummary(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockSummary(ctx, id)
  row.deletedAt = ctx.now()
  await ctx.em.flush()
  await setRecordingState(ctx, [row.appointment.id], { summaryGenerated: false })
}

/** Idempotent. Throws not_found, and conflict if the session has another one by now. */
export async function restoreSummary(ctx: WriteCtx, id: number): Promise<SummaryRecord> {
  authorize(ctx, 'summaries:summary:write')
  const row = await lockRow(ctx, summary, SessionSummary, { coachId: ctx.coachId, id })
  if (row.deletedAt) {
    const [other] = await ctx.query({
      name: 'summaries.other-summary',
      text: 'select 1 from session_summary where coach_id = $1 and appointment_id = $2 and deleted_at is null',
      values: [ctx.coachId, row.appointment.id],
    })
    if (other) throw new AppError('conflict', 'This session has another summary. Delete that one first.')
    row.deletedAt = null
    await ctx.em.flush()
    await setRecordingState(ctx, [row.appointment.id], { summaryGenerated: true })
  }
  return toRecord(ctx, id)
}

/** Without the claims. */
async function toRecord(ctx: WriteCtx, id: number): Promise<SummaryRecord> {
  return summary.output.parse(await getSummary(ctx, id))
}
