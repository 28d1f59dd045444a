import { localDate } from '#app/lib/time.ts'
import { plainText } from '#app/lib/markup.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import type { Ctx } from '#tenants/context.ts'
import { taskOwners, taskSources } from './fields.ts'
import type { TaskFilters } from './list-state.ts'
import { listTasksForExport, type ListedTask } from './queries/tasks.ts'

// Programs read this file: columns are added at the end only.
const headers = ['Title', 'Who', 'Client', 'Due', 'Done', 'Source', 'Notes', 'Added']
const batchSize = 500

/** A CSV file of the tasks in a tab, oldest first, one piece per batch. */
export async function* exportTasks(ctx: Ctx, filters: TaskFilters): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([headers])
  for (let after = 0; ; ) {
    const rows = await listTasksForExport(ctx, filters, after, batchSize)
    if (rows.length) yield formatCsv(rows.map((row) => toCells(row, ctx.account.timezone)))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.id
  }
}

const toCells = (row: ListedTask, timezone: string): string[] => [
  row.title,
  taskOwners[row.owner],
  row.clientName ?? '',
  row.dueDate ?? '',
  row.doneAt === null ? '' : localDate(row.doneAt, timezone),
  taskSources[row.source],
  row.notes === null ? '' : plainText(row.notes),
  localDate(row.createdAt, timezone),
]
