import { AppError } from '#app/lib/errors.ts'
import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import type { AppointmentRecord } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { brandDocument, formatFooter } from '#tenants/documents/branding.ts'
import { printDocument } from '#tenants/documents/print.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import type { SummaryDetails } from './records.ts'
import { formatClockTime } from './times.ts'
import { countParts, linesPerPart, type Action, type Claim, type TranscriptLine } from './types.ts'

// Printed each time: nothing keeps content of a session that a withdrawn consent would have to find.

/** The summary as a PDF. Its claims show when they were said, while the `lines` are there. */
export async function printSummary(
  ctx: Ctx,
  appointment: AppointmentRecord,
  { summary, lines }: { summary: SummaryDetails; lines: TranscriptLine[] },
): Promise<Buffer> {
  const starts = new Map(lines.map(({ n, startMs }) => [n, startMs]))
  const toRow = (part: string, claim: Claim | Action): string[] => {
    const start = starts.get(claim.lines[0] ?? 0)
    return [part, `${claim.text}${describeAction(claim, appointment)}`, start == null ? '' : formatClockTime(start)]
  }
  const { overview, takeaways, actions } = summary
  return printDocument(ctx, {
    ...(await toDocument(ctx, 'Session summary', appointment)),
    table: {
      columns: [
        { head: 'Part', share: 2 },
        { head: 'Summary', share: 9 },
        { head: 'Said at', share: 1.3, alignRight: true },
      ],
      rows: [
        ...overview.map((claim) => toRow('Overview', claim)),
        ...takeaways.map((claim) => toRow('Key takeaway', claim)),
        ...actions.map((claim) => toRow('Action item', claim)),
      ],
    },
  })
}

function describeAction(claim: Claim | Action, { clientName, prospectName }: AppointmentRecord): string {
  if (!('owner' in claim)) return ''
  const owner = claim.owner === 'client' ? (clientName ?? prospectName) : claim.owner && 'Coach'
  const due = claim.due && `by ${formatCalendarDate(claim.due, longDate)}`
  const facts = [owner, due].filter(Boolean).join(', ')
  return facts && `\n${facts}`
}

/** The transcript as a PDF, or one part of a long one. Throws not_found for a part that it doesn't have. */
export async function printTranscript(
  ctx: Ctx,
  appointment: AppointmentRecord,
  lines: TranscriptLine[],
  part: number,
): Promise<Buffer> {
  const parts = countParts(lines.length)
  if (part > parts) throw new AppError('not_found', 'This transcript has no such part.', { subject: 'transcript' })
  const document = await toDocument(ctx, 'Transcript', appointment)
  return printDocument(ctx, {
    ...document,
    facts: [...document.facts, ...(parts > 1 ? [{ label: 'Part', value: `${part} of ${parts}` }] : [])],
    table: {
      columns: [
        { head: 'Time', share: 1.3 },
        { head: 'Speaker', share: 2.5 },
        { head: 'Words', share: 9 },
      ],
      rows: lines
        .slice((part - 1) * linesPerPart, part * linesPerPart)
        .map(({ startMs, speaker, text }) => [startMs === null ? '' : formatClockTime(startMs), speaker ?? '', text]),
    },
  })
}

const longDate = { month: 'long', day: 'numeric', year: 'numeric' } as const

async function toDocument(
  ctx: Ctx,
  title: string,
  { title: session, clientName, prospectName, startTime }: AppointmentRecord,
): Promise<Omit<PrintedDocument, 'table'>> {
  const { businessName, firstName, lastName, currency, timezone } = ctx.account
  return {
    ...(await brandDocument(ctx, { issuer: businessName ?? `${firstName} ${lastName}`, currency })),
    title,
    number: null,
    recipient: { label: 'Session with', lines: [clientName ?? prospectName ?? 'Unknown'] },
    facts: [
      { label: 'Date', value: formatCalendarDate(localDate(startTime, timezone), longDate) },
      { label: 'Session', value: session },
    ],
    sums: [],
    paragraphs: [],
    footer: formatFooter(ctx, null),
    createdAt: ctx.now(),
  }
}
