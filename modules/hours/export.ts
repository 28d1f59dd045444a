import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import type { Ctx } from '#tenants/context.ts'
import { formats } from './fields.ts'
import { formatHours } from './format.ts'
import { listLog, type Period } from './queries/log.ts'

// The columns of the federation's client coaching log. Programs read this file: columns are added at the end only.
const headers = [
  'Client',
  'Contact',
  'Individual or group',
  'Number in group',
  'Start date',
  'End date',
  'Paid hours',
  'Pro bono hours',
]

/** The log as a CSV file: a row for each client with sessions in the period, then the entries. */
export async function exportLog(ctx: Ctx, period: Period): Promise<string> {
  const { timezone } = ctx.account
  const { clients, entries } = await listLog(ctx, period)
  const ofSessions = clients.map(({ name, contact, first, last, minutes, counting }) => [
    name,
    contact ?? '',
    formats.individual,
    '1',
    localDate(first, timezone),
    localDate(last, timezone),
    formatHours(counting === 'paid' ? minutes : 0),
    formatHours(counting === 'pro_bono' ? minutes : 0),
  ])
  const others = entries.map((one) => [
    one.clientName,
    one.contact ?? '',
    formats[one.format],
    String(one.participants ?? 1),
    one.startDate,
    one.endDate,
    formatHours(one.paidMinutes),
    formatHours(one.proBonoMinutes),
  ])
  return byteOrderMark + formatCsv([headers, ...ofSessions, ...others])
}
