// The public interface for other modules.
export * from './events.ts'
export { Prospect } from './schema.ts'
export type { ProspectRecord } from './records.ts'
export {
  listProspectOptions,
  findProspectName,
  getProspect,
  listProspects,
} from './queries/prospects.ts'
export { lockProspect } from './services/prospects.ts'
export type { ProspectLink } from './slots.ts'
