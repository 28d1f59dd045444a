// What other modules may call.
export * from './events.ts'
export { Prospect } from './schema.ts'
export type { ProspectRecord } from './record.ts'
export { prospectChoices, prospectOf, prospectsNewestFirst } from './queries/prospects.ts'
export { holdProspect } from './services/prospects.ts'
export { joinedProspect, prospectInTrash, prospectsNamed } from './sql.ts'
