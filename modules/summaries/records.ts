import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  channels,
  consentFields,
  shareChannels,
  summaryMethods,
  summaryStatuses,
  transcriptSources,
  type Channel,
  type ShareChannel,
  type SummaryStatus,
  type TranscriptSource,
} from './fields.ts'
import type { Action, Claim, SummaryMethod } from './types.ts'

const keys = <K extends string>(labels: Record<K, string>) => Object.keys(labels) as [K, ...K[]]
const nullableTime = (column: string) => ({ output: z.iso.datetime().nullable(), sql: isoTimestamp(column) })

export const consent = defineRecord({
  kind: 'recording_consent',
  label: 'Consent',
  alias: 'r',
  fields: consentFields,
  computed: {
    channel: { output: z.enum(keys<Channel>(channels)), sql: 'r.channel' },
    clientId: { output: z.int().nullable().describe('For all sessions of this client'), sql: 'r.client_id' },
    appointmentId: { output: z.int().nullable().describe('For this session alone'), sql: 'r.appointment_id' },
    givenAt: timestamp('r.given_at'),
    withdrawnAt: nullableTime('r.withdrawn_at'),
    updatedAt: timestamp('r.updated_at'),
  },
})
export type ConsentRecord = z.output<typeof consent.output>

const LineOut = z.object({
  n: z.int(),
  speaker: z.string().nullable(),
  startMs: z.int().nullable(),
  endMs: z.int().nullable(),
  text: z.string(),
})

/** Without its lines. */
export const transcript = defineRecord({
  kind: 'session_transcript',
  label: 'Transcript',
  alias: 'r',
  fields: {},
  computed: {
    appointmentId: { output: z.int(), sql: 'r.appointment_id' },
    source: { output: z.enum(keys<TranscriptSource>(transcriptSources)), sql: 'r.source' },
    fileName: { output: z.string().nullable(), sql: 'r.file_name' },
    lineCount: { output: z.int(), sql: 'r.line_count' },
    durationMs: { output: z.int().nullable(), sql: 'r.duration_ms' },
    isProcessing: {
      output: z.boolean().describe('Whether its summary is being made'),
      sql: 'r.processing_since is not null',
    },
    failure: { output: z.string().nullable().describe('Why its last summary failed'), sql: 'r.failure' },
    updatedAt: timestamp('r.updated_at'),
  },
})
export type TranscriptRecord = z.output<typeof transcript.output>
export const TranscriptWithLines = transcript.output.extend({ lines: z.array(LineOut) })

const ClaimOut = z.object({
  text: z.string(),
  lines: z.array(z.int()).describe('The lines of the transcript that say it'),
  quote: z.string().describe('Copied from those lines'),
})
const ActionOut = ClaimOut.extend({ owner: z.enum(['coach', 'client']).nullable(), due: z.iso.date().nullable() })

/** Without its claims: a response to POST is stored for a day, longer than the consent may last. */
export const summary = defineRecord({
  kind: 'session_summary',
  label: 'Summary',
  alias: 'r',
  fields: {},
  computed: {
    appointmentId: { output: z.int(), sql: 'r.appointment_id' },
    transcriptId: { output: z.int().nullable(), sql: 'r.transcript_id' },
    status: { output: z.enum(keys<SummaryStatus>(summaryStatuses)), sql: 'r.status' },
    method: {
      output: z.enum(keys<SummaryMethod>(summaryMethods)).describe('extract: sentences chosen from the transcript'),
      sql: 'r.method',
    },
    model: { output: z.string().nullable(), sql: 'r.model' },
    approvedAt: nullableTime('r.approved_at'),
    sharedAt: nullableTime('r.shared_at'),
    sharedBy: { output: z.enum(keys<ShareChannel>(shareChannels)).nullable(), sql: 'r.shared_by' },
    updatedAt: timestamp('r.updated_at'),
  },
})
export type SummaryRecord = z.output<typeof summary.output>

export const SummaryWithClaims = summary.output.extend({
  overview: z.array(ClaimOut),
  takeaways: z.array(ClaimOut),
  actions: z.array(ActionOut),
})
export type SummaryDetails = SummaryRecord & { overview: Claim[]; takeaways: Claim[]; actions: Action[] }
/** SQL of the columns that `summary.select` leaves out. */
export const claimsSelect = 'r.overview, r.takeaways, r.actions'
