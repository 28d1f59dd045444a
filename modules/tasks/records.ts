import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { taskFields, taskSources, type TaskSource } from './fields.ts'

export const task = defineRecord({
  kind: 'task',
  label: 'Task',
  alias: 't',
  fields: taskFields,
  computed: {
    doneAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('t.done_at') },
    source: { output: z.enum(Object.keys(taskSources) as [TaskSource, ...TaskSource[]]), sql: 't.source' },
    appointmentId: { output: z.int().nullable().describe('The session that it comes from'), sql: 't.appointment_id' },
    line: { output: z.int().nullable().describe('The line of its transcript that says it'), sql: 't.line' },
    updatedAt: timestamp('t.updated_at'),
  },
})
export type TaskRecord = z.output<typeof task.output>
