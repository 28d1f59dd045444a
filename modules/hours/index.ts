// The public interface for other modules.
export * from './events.ts'
export { NewEntry } from './forms.ts'
export type { EntryRecord } from './records.ts'
export { getEntry } from './queries/entries.ts'
export { createEntry } from './services/entries.ts'
