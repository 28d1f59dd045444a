import { formatDate, localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatDateTimeRange, formatDays } from '../format.ts'
import { planReasons, type PlannedSeries } from './plan.ts'
import { getImport, listImports, type ImportRecord } from './queries.ts'
import { fileTooLargeError, leaveReasons, maxBytes } from './read-calendar.ts'

/** The upload form, and the imports so far. */
export async function loadImports(ctx: Ctx) {
  const imports = await listImports(ctx)
  return {
    limit: { bytes: maxBytes, message: fileTooLargeError().message },
    imports: imports.map(({ id, fileName, summary, finishedAt }) => ({
      id,
      fileName,
      day: formatDate(finishedAt!, ctx.account.timezone),
      added: describeCounts(summary),
    })),
  }
}

/** An import: the events that it adds, or has added. */
export async function loadImport(ctx: Ctx, id: number) {
  const { fileName, summary, finishedAt } = await getImport(ctx, id)
  const { appointments, busyTimes, series, leftOut, unknownZones } = summary
  const toRow = createRow(ctx)
  return {
    id,
    fileName,
    isFinished: finishedAt !== null,
    added: describeCounts(summary),
    groups: [
      {
        title: 'Sessions',
        text: 'Events with a client: one who takes part, or whose full name is in the title.',
        count: appointments,
        rows: series.appointments.map(toRow),
      },
      {
        title: 'Busy times',
        text: 'All other events from today on. Nobody can book you then; only you see their titles.',
        count: busyTimes,
        rows: series.busyTimes.map(toRow),
      },
    ].filter(({ count }) => count > 0),
    leftOut: Object.entries({ ...leaveReasons, ...planReasons }).flatMap(([reason, label]) => {
      const count = leftOut[reason as keyof typeof leftOut] ?? 0
      return count ? [{ label, count }] : []
    }),
    unknownZones,
  }
}

/** '12 sessions and 1 busy time'. */
function describeCounts({
  appointments,
  busyTimes,
}: Pick<ImportRecord['summary'], 'appointments' | 'busyTimes'>): string {
  const count = (value: number, noun: string) => `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`
  return `${count(appointments, 'session')} and ${count(busyTimes, 'busy time')}`
}

function createRow(ctx: Ctx) {
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return ({ title, clientName, start, end, isAllDay, count }: PlannedSeries) => ({
    title,
    clientName,
    when: isAllDay ? formatDays(start, end, timezone, today) : formatDateTimeRange(start, end, ctx.account, today),
    count,
  })
}
