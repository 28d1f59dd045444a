import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  contractFields,
  contractSources,
  contractStatuses,
  templateFields,
  type ContractSource,
  type ContractStatus,
} from './fields.ts'
import { clientNameSql } from './joins.ts'

const choiceFrom = <K extends string>(record: Record<K, unknown>) => z.enum(Object.keys(record) as [K, ...K[]])

export const template = defineRecord({
  kind: 'contract_template',
  label: 'Contract template',
  alias: 't',
  fields: templateFields,
  computed: { updatedAt: timestamp('t.updated_at') },
})
export type TemplateRecord = z.output<typeof template.output>

/** SQL over the contract `k`; $2 is the time. */
export const statusSql = `case
  when k.state <> 'open' then k.state
  when k.expires_at <= $2 then 'expired'
  when k.client_signed_at is not null then 'signed_by_client'
  when k.coach_signed_at is not null then 'signed_by_coach'
  when k.viewed_at is not null then 'viewed' else 'sent' end`

const instant = (column: string) => ({ output: z.iso.datetime().nullable(), sql: isoTimestamp(column) })

/** Its SQL needs the time as $2. */
export const contract = defineRecord({
  kind: 'contract',
  label: 'Contract',
  alias: 'k',
  fields: contractFields,
  computed: {
    status: { output: choiceFrom<ContractStatus>(contractStatuses), sql: statusSql },
    clientId: { output: z.int().nullable().describe('Null once the client is erased'), sql: 'k.client_id' },
    clientName: { output: z.string(), sql: clientNameSql },
    contractTemplateId: { output: z.int().nullable(), sql: 'k.template_id' },
    appointmentId: { output: z.int().nullable().describe('The booking that required it'), sql: 'k.appointment_id' },
    source: { output: choiceFrom<ContractSource>(contractSources), sql: 'k.source' },
    text: { output: z.string().nullable().describe('As it is signed; null for a draft'), sql: 'k.text' },
    textSha256: {
      output: z.string().nullable().describe('Of the text in UTF-8'),
      sql: `encode(k.text_sha256, 'hex')`,
    },
    verificationCode: { output: z.string().nullable(), sql: 'k.code' },
    sentAt: instant('k.sent_at'),
    expiresAt: instant('k.expires_at'),
    viewedAt: instant('k.viewed_at'),
    clientSignedAt: instant('k.client_signed_at'),
    coachSignedAt: instant('k.coach_signed_at'),
    closedAt: instant('k.closed_at'),
    updatedAt: timestamp('k.updated_at'),
  },
})
export type ContractRecord = z.output<typeof contract.output>

export const RequirementOut = z.object({
  id: z.int(),
  coachId: z.int(),
  appointmentTypeId: z.int().nullable(),
  productId: z.int().nullable().describe('Either this or the appointment type'),
  contractTemplateId: z.int(),
  templateName: z.string(),
  createdAt: z.iso.datetime(),
})
export type RequirementRecord = z.output<typeof RequirementOut>
