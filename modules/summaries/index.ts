// The public interface for other modules.
export * from './events.ts'
export { findSummary } from './queries/summaries.ts'
export { requestSummary } from './services/generation.ts'
