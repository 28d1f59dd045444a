// The public interface for other modules.
export * from './events.ts'
