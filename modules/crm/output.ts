import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { clientStatuses } from './fields.ts'
import type { ClientInteractionRow, ClientRow } from './schema.ts'

const nullableText = z.string().nullable()
const timestamp = z.iso.datetime()

export const ClientOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  email: z.string(),
  phone: nullableText,
  location: nullableText,
  profession: nullableText,
  timezone: nullableText,
  program: nullableText,
  status: z.enum(clientStatuses),
  progress: z.int(),
  goals: nullableText,
  notes: nullableText,
  futureGoals: nullableText,
  frustrations: nullableText,
  fears: nullableText,
  failures: nullableText,
  convertedAt: timestamp.nullable(),
  convertedFromProspectId: z.int().nullable(),
  totalSpent: z.int().describe('Cents'),
  archivedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type ClientRecord = z.infer<typeof ClientOut>

export const ActivityOut = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  description: nullableText,
  clientId: z.int().nullable(),
  createdAt: timestamp,
})
export type ActivityRecord = z.infer<typeof ActivityOut>

/** SQL that selects a row of `client` as a ClientRecord. */
export const clientRecordSql = `id, coach_id as "coachId", name, email, phone, location, profession, timezone, program,
  status, progress, goals, notes, future_goals as "futureGoals", frustrations, fears, failures,
  ${isoTimestamp('converted_at')} as "convertedAt", converted_from_prospect_id as "convertedFromProspectId",
  total_spent as "totalSpent", ${isoTimestamp('archived_at')} as "archivedAt",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('updated_at')} as "updatedAt"`

export function toClientRecord(client: ClientRow): ClientRecord {
  return {
    id: client.id,
    coachId: client.coachId,
    name: client.name,
    email: client.email,
    phone: client.phone ?? null,
    location: client.location ?? null,
    profession: client.profession ?? null,
    timezone: client.timezone ?? null,
    program: client.program ?? null,
    status: client.status,
    progress: client.progress,
    goals: client.goals ?? null,
    notes: client.notes ?? null,
    futureGoals: client.futureGoals ?? null,
    frustrations: client.frustrations ?? null,
    fears: client.fears ?? null,
    failures: client.failures ?? null,
    convertedAt: client.convertedAt?.toISOString() ?? null,
    convertedFromProspectId: client.convertedFromProspectId ?? null,
    totalSpent: client.totalSpent,
    archivedAt: client.archivedAt?.toISOString() ?? null,
    createdAt: client.createdAt.toISOString(),
    updatedAt: client.updatedAt.toISOString(),
  }
}

export const clientNotFound = (): AppError => new AppError('not_found', 'Client not found')

export const InteractionOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: z.int(),
  appointmentId: z.int().nullable(),
  name: z.string(),
  content: nullableText.describe('Light markup'),
  summary: nullableText.describe('Light markup'),
  source: z.string().describe('manual, or the system that logged it'),
  interactionDate: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type InteractionRecord = z.infer<typeof InteractionOut>

/** SQL that selects a row `i` of `client_interaction` as an InteractionRecord. */
export const interactionRecordSql = `i.id, i.coach_id as "coachId", i.client_id as "clientId",
  i.appointment_id as "appointmentId", i.name, i.content, i.summary, i.source,
  ${isoTimestamp('i.interaction_date')} as "interactionDate", ${isoTimestamp('i.created_at')} as "createdAt",
  ${isoTimestamp('i.updated_at')} as "updatedAt"`

export function toInteractionRecord(interaction: ClientInteractionRow): InteractionRecord {
  return {
    id: interaction.id,
    coachId: interaction.coachId,
    clientId: interaction.client.id,
    appointmentId: interaction.appointmentId ?? null,
    name: interaction.name,
    content: interaction.content ?? null,
    summary: interaction.summary ?? null,
    source: interaction.source,
    interactionDate: interaction.interactionDate.toISOString(),
    createdAt: interaction.createdAt.toISOString(),
    updatedAt: interaction.updatedAt.toISOString(),
  }
}

export const interactionNotFound = (): AppError => new AppError('not_found', 'Interaction not found')
