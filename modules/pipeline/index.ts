// The public interface for other modules.
export * from './events.ts'
export * from './hooks.ts'
export { Prospect } from './schema.ts'
export type { ProspectRecord } from './records.ts'
export {
  listProspectOptions,
  findProspectName,
  getProspect,
  listProspects,
} from './queries/prospects.ts'
export { lockProspect } from './services/prospects.ts'
export { findOrCreateProspect, type Inquiry } from './services/inquiries.ts'
export type { ProspectLink } from './slots.ts'
export {
  joinProspect,
  isProspectInTrash,
  prospectIdsByName,
} from './joins.ts'
