import { z } from 'zod'
import { taskOwners, type TaskOwner } from './fields.ts'
import { task } from './records.ts'

export const NewTask = task.create
export const TaskEdit = task.update
export type NewTask = z.output<typeof NewTask>
export type TaskEdit = z.output<typeof TaskEdit>

/** The filters of the API's list. */
export const TaskFilter = z.object({
  status: z.enum(['open', 'overdue', 'done']).optional(),
  owner: z.enum(Object.keys(taskOwners) as [TaskOwner, ...TaskOwner[]]).optional(),
  clientId: z.string().optional().describe('Only those of this client.'),
})
