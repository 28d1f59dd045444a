// What other modules may call.
export * from './events.ts'
export { Prospect } from './schema.ts'
export type { ProspectRecord } from './output.ts'
export { prospectChoices, prospectNamed, prospectOf, prospectsNewestFirst } from './queries/prospects.ts'
export { holdProspect } from './services/prospects.ts'
export type { ProspectPlace } from './slots.ts'
export { joinedProspect, prospectInTrash, prospectsNamed } from './joins.ts'
