import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/read-pool.ts'
import { clientStatuses, type ClientField } from './forms.ts'
import type { ClientInteractionRow, ClientRow } from './schema.ts'

const text = z.string().nullable()
const time = z.iso.datetime()

/** The client of the API. */
export const ClientOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  email: z.string(),
  phone: text,
  location: text,
  profession: text,
  timezone: text,
  program: text,
  status: z.enum(clientStatuses),
  progress: z.int(),
  goals: text,
  notes: text,
  futureGoals: text,
  frustrations: text,
  fears: text,
  failures: text,
  convertedAt: time.nullable(),
  convertedFromProspectId: z.int().nullable(),
  totalSpent: z.int().describe('Cents'),
  archivedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
})
export type ClientRecord = z.infer<typeof ClientOut>

/** The activity of the API. */
export const ActivityOut = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  description: text,
  clientId: z.int().nullable(),
  createdAt: time,
})
export type ActivityRecord = z.infer<typeof ActivityOut>

/** The columns of the fields that people fill in. */
export const columnOf = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  location: 'location',
  profession: 'profession',
  timezone: 'timezone',
  program: 'program',
  status: 'status',
  progress: 'progress',
  goals: 'goals',
  notes: 'notes',
  futureGoals: 'future_goals',
  frustrations: 'frustrations',
  fears: 'fears',
  failures: 'failures',
} as const satisfies Record<ClientField, string>

/** SQL: a row of `client` as a ClientRecord, written so that it goes to the answer as it is. */
export const clientRecordSql = `id, coach_id as "coachId", name, email, phone, location, profession, timezone, program, status, progress,
  goals, notes, future_goals as "futureGoals", frustrations, fears, failures, ${utc('converted_at')} as "convertedAt",
  converted_from_prospect_id as "convertedFromProspectId", total_spent as "totalSpent", ${utc('archived_at')} as "archivedAt",
  ${utc('created_at')} as "createdAt", ${utc('updated_at')} as "updatedAt"`

/** As `clientRecordSql`, of an entity. */
export function clientRecord(client: ClientRow): ClientRecord {
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

/** The interaction of the API. */
export const InteractionOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: z.int(),
  appointmentId: z.int().nullable(),
  name: z.string(),
  content: text.describe('Light markup'),
  summary: text.describe('Light markup'),
  source: z.string().describe('manual, or what noted it'),
  interactionDate: time,
  createdAt: time,
  updatedAt: time,
})
export type InteractionRecord = z.infer<typeof InteractionOut>

/** SQL: a row `i` of `client_interaction` as an InteractionRecord. */
export const interactionRecordSql = `i.id, i.coach_id as "coachId", i.client_id as "clientId", i.appointment_id as "appointmentId", i.name, i.content,
  i.summary, i.source, ${utc('i.interaction_date')} as "interactionDate", ${utc('i.created_at')} as "createdAt", ${utc('i.updated_at')} as "updatedAt"`

/** As `interactionRecordSql`, of an entity. */
export function interactionRecord(interaction: ClientInteractionRow): InteractionRecord {
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
