import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ taskId: z.int() })

export const taskCreated = defineEvent('tasks.task-created', payload)
export const taskUpdated = defineEvent('tasks.task-updated', payload)
export const taskCompleted = defineEvent('tasks.task-completed', payload)
/** Completed by mistake. */
export const taskReopened = defineEvent('tasks.task-reopened', payload)
/** Moved to the trash. */
export const taskDeleted = defineEvent('tasks.task-deleted', payload)
export const taskRestored = defineEvent('tasks.task-restored', payload)
