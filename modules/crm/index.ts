// The public interface for other modules.
export * from './events.ts'
export * from './hooks.ts'
export { Client } from './schema.ts'
export { ClientOut, type ActivityRecord, type ClientRecord } from './records.ts'
export { ClientEdit, NewClient, NewInteraction } from './forms.ts'
export { fourFFields, personFields } from './trash.ts'
export {
  createClient,
  deleteClient,
  updateClient,
  lockCurrentClient,
  type ProspectOrigin,
} from './services/clients.ts'
export {
  createInteraction,
  eraseLoggedInteractions,
  trashLoggedInteraction,
  unlinkAppointment,
  updateLoggedInteraction,
  type InteractionDetails,
} from './services/interactions.ts'
export { assertNotReadOnly, isReadOnly, lockAccount, remainingClients } from './services/plan-limit.ts'
export { assertNotMerged } from './services/merge.ts'
export { findMerge } from './services/merge.ts'
export { addToTotalSpent, lockClient } from './services/total-spent.ts'
export { logActivity, type NewActivity } from './services/activities.ts'
export {
  findClientByEmail,
  listClientContacts,
  listClientOptions,
  listClientIdsMatching,
  listClientNames,
  getClient,
  listClients,
} from './queries/clients.ts'
export { findAppointmentNotes, listAppointmentNotes, listInteractionsOfSource } from './queries/interactions.ts'
export { listTags as listClientTags } from './queries/tags.ts'
export { clientFilters } from './automations.ts'
export { countClients } from './queries/counts.ts'
export { isClientInTrash, clientIdsByName, clientIdsInTrash, clientTotalsSql, hasTag, joinClient } from './joins.ts'
export type {
  ClientFacts,
  ClientFactsById,
  ClientFilter,
  ClientLink,
  ClientNextSession,
  ClientSession,
  ProductOption,
  TimelineEntry,
} from './slots.ts'
