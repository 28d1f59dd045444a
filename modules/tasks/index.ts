// The public interface for other modules.
export * from './events.ts'
export { NewTask } from './forms.ts'
export type { TaskRecord } from './records.ts'
export { getTask, listTasks } from './queries/tasks.ts'
export { completeTask, createTask } from './services/tasks.ts'
