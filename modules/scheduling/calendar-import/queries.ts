import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ImportSummary } from './plan.ts'

export type ImportRecord = {
  id: number
  fileName: string
  summary: ImportSummary
  createdAt: string
  finishedAt: string | null
}

const columns = `id, file_name as "fileName", summary, ${isoTimestamp('created_at')} as "createdAt",
  ${isoTimestamp('finished_at')} as "finishedAt"`

export const importNotFound = (): AppError => new AppError('not_found', 'Import not found')

/** Throws not_found. */
export async function getImport(ctx: Ctx, id: number): Promise<ImportRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const [found] = await ctx.query<ImportRecord>({
    name: 'scheduling.calendar-import',
    text: `select ${columns} from calendar_import where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw importNotFound()
  return found
}

/** The latest 20 that were finished, newest first. */
export async function listImports(ctx: Ctx): Promise<ImportRecord[]> {
  authorize(ctx, 'scheduling:appointment:write')
  return ctx.query<ImportRecord>({
    name: 'scheduling.calendar-imports',
    text: `select ${columns} from calendar_import where coach_id = $1 and finished_at is not null
      order by created_at desc, id desc limit 20`,
    values: [ctx.coachId],
  })
}

/** An imported time in which the coach can't be booked. */
export type ImportedTime = { id: number; title: string; start: string; end: string; isAllDay: boolean }

const importedTimeSql = `e.id, e.title, ${isoTimestamp('e.start_time')} as start, ${isoTimestamp('e.end_time')} as "end",
  e.is_all_day as "isAllDay"`
/** SQL: those that the coach has not removed. */
const importedTimesSql = `from imported_event e
  join busy_time b on b.coach_id = $1 and b.imported_event_id = e.id where e.coach_id = $1`

/** The imported busy times that overlap the range, at most `rows`. */
export async function listImportedTimes(
  ctx: Ctx,
  { from, to, rows = 1000 }: { from: Date; to: Date; rows?: number },
): Promise<ImportedTime[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query<ImportedTime>({
    name: 'scheduling.imported-times',
    text: `select ${importedTimeSql} ${importedTimesSql} and e.end_time > $2 and e.start_time < $3
      order by e.start_time, e.id limit $4`,
    values: [ctx.coachId, from, to, rows],
  })
}

/** Throws not_found, also for a time that was removed. */
export async function getImportedTime(
  ctx: Ctx,
  id: number,
): Promise<ImportedTime & { fileName: string; importedAt: string }> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<ImportedTime & { fileName: string; importedAt: string }>({
    name: 'scheduling.imported-time',
    text: `select ${importedTimeSql}, (
        select i.file_name from calendar_import i where i.coach_id = $1 and i.id = e.calendar_import_id) as "fileName", (
        select ${isoTimestamp('i.created_at')} from calendar_import i
        where i.coach_id = $1 and i.id = e.calendar_import_id) as "importedAt"
      ${importedTimesSql} and e.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw new AppError('not_found', 'Busy time not found')
  return found
}
