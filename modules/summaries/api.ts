import { z } from 'zod'
import { getClient } from '#modules/crm/index.ts'
import { AppointmentOut, getAppointment } from '#modules/scheduling/index.ts'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { listOperation } from '#tenants/api/resource.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewConsent, NewTranscript, SummaryEdit } from './forms.ts'
import { listConsents } from './queries/consents.ts'
import { findSummary, findTrashedSummary, type VersionedSummary } from './queries/summaries.ts'
import { findTranscript, findTrashedTranscript, getLines } from './queries/transcripts.ts'
import {
  consent,
  summary,
  SummaryWithClaims,
  transcript,
  TranscriptWithLines,
  type SummaryRecord,
  type TranscriptRecord,
} from './records.ts'
import { giveConsent, withdrawLatestConsent, type ConsentSubject } from './services/consents.ts'
import { requestSummary } from './services/generation.ts'
import {
  approveSummary,
  deleteSummary,
  markShared,
  restoreSummary,
  unapproveSummary,
  unshareSummary,
  updateSummary,
} from './services/summaries.ts'
import { addTranscript, deleteTranscript, restoreTranscript } from './services/transcripts.ts'
import { shareByEmail } from './sharing/email.ts'

const summaries = { tags: ['Session summaries'] }
const byAppointment = { find: (ctx: Ctx, { id }: { id?: number }) => getAppointment(ctx, id!) }

export const operations = [
  operation({
    ...summaries,
    method: 'post',
    path: '/appointments/{id}/generate-summary',
    summary: 'Start to make the summary of a completed session',
    description:
      'From its transcript, in the background: `summaryGenerated` is then true. A session that has a summary keeps it. ' +
      'Not completed: 409. Without a transcript: 503.',
    answers: { 202: z.object({ appointment: AppointmentOut }) },
    refusals: [403, 409, 503],
    ...byAppointment,
    handle: async (ctx, { params }) => ({ appointment: await requestSummary(ctx, params.id!) }),
  }),
  operation({
    ...summaries,
    method: 'get',
    path: '/appointments/{id}/transcript',
    summary: 'The transcript of a session',
    answers: { 200: TranscriptWithLines },
    refusals: [404],
    ...byAppointment,
    handle: async (ctx, { params }) => {
      const found = await requireTranscript(ctx, params.id!)
      return { ...found, lines: await getLines(ctx, found.id) }
    },
  }),
  operation({
    ...summaries,
    method: 'post',
    path: '/appointments/{id}/transcript',
    summary: 'Add the transcript of a session',
    description:
      'WebVTT, SRT or plain text. Of a completed session a summary is made. Before the session, without consent, or if ' +
      'there is a transcript already: 409.',
    body: NewTranscript,
    answers: { 201: transcript.output },
    refusals: [403, 409],
    ...byAppointment,
    handle: (ctx, { params, body: { text, fileName } }) =>
      addTranscript(ctx, params.id!, { source: 'paste', fileName: fileName ?? null, content: text, field: 'text' }),
  }),
  operation({
    ...summaries,
    method: 'delete',
    path: '/appointments/{id}/transcript',
    summary: 'Move the transcript of a session to the trash',
    description: 'The summary that was made of it stays.',
    answers: { 204: null },
    refusals: [404],
    handle: async (ctx, { params }) => deleteTranscript(ctx, (await requireTranscript(ctx, params.id!)).id),
  }),
  operation({
    ...summaries,
    method: 'post',
    path: '/appointments/{id}/transcript/restore',
    summary: 'Restore the transcript of a session from the trash',
    answers: { 200: transcript.output },
    refusals: [404, 409],
    ...byAppointment,
    handle: async (ctx, { params }) => restoreTranscript(ctx, await findTrashedTranscript(ctx, params.id!)),
  }),
  operation({
    ...summaries,
    method: 'get',
    path: '/appointments/{id}/summary',
    summary: 'The summary of a session',
    answers: { 200: SummaryWithClaims },
    refusals: [404],
    handle: async (ctx, { params }) => SummaryWithClaims.parse(await requireSummary(ctx, params.id!)),
  }),
  operation({
    ...summaries,
    method: 'patch',
    path: '/appointments/{id}/summary',
    summary: 'Change the summary of a session',
    description: 'A claim keeps `lines` and `quote` only as they are; a new one has none.',
    body: SummaryEdit,
    answers: { 200: SummaryWithClaims },
    refusals: [404],
    find: (ctx, { id }) => requireSummary(ctx, id!),
    handle: async (ctx, { params, body }) => {
      const { id } = await requireSummary(ctx, params.id!)
      return SummaryWithClaims.parse(await updateSummary(ctx, id, body))
    },
  }),
  operation({
    ...summaries,
    method: 'delete',
    path: '/appointments/{id}/summary',
    summary: 'Move the summary of a session to the trash',
    description: 'What is on the timeline of the client stays there.',
    answers: { 204: null },
    refusals: [404],
    handle: async (ctx, { params }) => deleteSummary(ctx, (await requireSummary(ctx, params.id!)).id),
  }),
  operation({
    ...summaries,
    method: 'post',
    path: '/appointments/{id}/summary/restore',
    summary: 'Restore the summary of a session from the trash',
    answers: { 200: summary.output },
    refusals: [404, 409],
    ...byAppointment,
    handle: async (ctx, { params }) => restoreSummary(ctx, await findTrashedSummary(ctx, params.id!)),
  }),
  ...summaryActions({
    approve: {
      summary: 'Approve the summary of a session',
      description:
        'It becomes an interaction of the client, with a `source` that contains `revai`, and its actions become tasks. ' +
        'A second call adds nothing.',
      run: (ctx, id) => approveSummary(ctx, id),
    },
    unapprove: {
      summary: 'Make a draft of the summary of a session again',
      description:
        'Its interaction moves to the trash, unless it was edited; the tasks that nobody has changed are deleted.',
      run: unapproveSummary,
    },
    share: {
      summary: 'Note that the client has the summary of a session',
      description: 'Before it is approved: 409.',
      run: (ctx, id) => markShared(ctx, id, 'other'),
    },
    email: {
      summary: 'Email the client a link to the summary of a session',
      description: 'Before it is approved, and without an email address of the client: 409.',
      run: shareByEmail,
    },
    unshare: { summary: 'End the sharing of the summary of a session', run: unshareSummary },
  }),
  ...consentOperations('/clients', 'client', (id) => ({ clientId: id }), getClient),
  ...consentOperations('/appointments', 'session', (id) => ({ appointmentId: id }), getAppointment),
]

type SummaryAction = {
  summary: string
  description?: string
  run: (ctx: WriteCtx, id: number) => Promise<SummaryRecord>
}

function summaryActions(actions: Record<string, SummaryAction>): Operation[] {
  return Object.entries(actions).map(([name, { run, ...described }]) =>
    operation({
      ...summaries,
      ...described,
      method: 'post',
      path: `/appointments/{id}/summary/${name}`,
      answers: { 200: summary.output },
      refusals: [403, 404, 409],
      find: (ctx, { id }) => requireSummary(ctx, id!),
      handle: async (ctx, { params }) => run(ctx, (await requireSummary(ctx, params.id!)).id),
    }),
  )
}

/** The consents of a client or of a session. */
function consentOperations(
  parent: `/${string}`,
  noun: string,
  toSubject: (id: number) => ConsentSubject,
  find: (ctx: Ctx, id: number) => Promise<unknown>,
): Operation[] {
  const path = `${parent}/{id}/recording-consents` as const
  const byParent = { ...summaries, find: (ctx: Ctx, { id }: { id?: number }) => find(ctx, id!) }
  return [
    listOperation({
      ...byParent,
      path,
      summary: `List the consents of a ${noun} to transcripts`,
      description: 'Also withdrawn ones, newest first.',
      output: consent.output,
      run: (ctx, page, _query, { id }) => listConsents(ctx, toSubject(id!), page),
      toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
    }),
    operation({
      ...byParent,
      method: 'post',
      path,
      summary: `Record the consent of a ${noun} to transcripts`,
      description: 'A session that has consents of its own follows those.',
      body: NewConsent,
      answers: { 201: consent.output },
      handle: (ctx, { params, body }) => giveConsent(ctx, toSubject(params.id!), body),
    }),
    operation({
      ...byParent,
      method: 'post',
      path: `${path}/withdraw`,
      summary: `Withdraw the consent of a ${noun} to transcripts`,
      description: 'Permanently deletes transcripts, summaries and all that came from them. Without consent: 409.',
      answers: { 200: consent.output },
      refusals: [409],
      handle: (ctx, { params }) => withdrawLatestConsent(ctx, toSubject(params.id!)),
    }),
  ]
}

async function requireTranscript(ctx: Ctx, appointmentId: number): Promise<TranscriptRecord> {
  const { id } = await getAppointment(ctx, appointmentId)
  const found = await findTranscript(ctx, id)
  if (!found) throw transcript.notFound()
  return found
}

async function requireSummary(ctx: Ctx, appointmentId: number): Promise<VersionedSummary> {
  const { id } = await getAppointment(ctx, appointmentId)
  const found = await findSummary(ctx, id)
  if (!found) throw summary.notFound()
  return found
}
