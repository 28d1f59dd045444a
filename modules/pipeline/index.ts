// What other modules may call.
export * from './events.ts'
export { Prospect } from './schema.ts'
export type { ProspectRecord } from './record.ts'
export { prospectOf, prospectsNewestFirst } from './queries/prospects.ts'
