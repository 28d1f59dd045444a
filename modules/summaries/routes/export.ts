import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { formatDate, localDate } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { toSafeFileName } from '#tenants/files/file-name.ts'
import { printSummary, printTranscript } from '../documents.ts'
import { formatContent } from '../services/content.ts'
import { loadForExport } from '../session-loader.server.ts'
import { formatText, formatVtt } from '../transcripts/export.ts'

/** The transcript as text, VTT or PDF, or the summary as text or PDF. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { appointment, summary, lines } = await loadForExport(ctx, parseId(params.id))
  const { timezone } = ctx.account
  // A slash would begin a folder, whose name is left out.
  const name = `${appointment.title.replace(/[\\/]/g, '_')} ${localDate(appointment.startTime, timezone)}`
  const { searchParams } = new URL(request.url)
  const format = searchParams.get('format')
  if (format === 'summary-pdf' && summary)
    return pdfFile(`${name}, summary.pdf`, await printSummary(ctx, appointment, { summary, lines }))
  if (format === 'summary' && summary) {
    const head = [
      appointment.title,
      `${appointment.clientName ?? appointment.prospectName}, ${formatDate(appointment.startTime, timezone)}`,
    ]
    return textFile(`${name}, summary.txt`, `${head.join('\n')}\n\n${formatContent(summary)}\n`)
  }
  if (format === 'summary' || format === 'summary-pdf' || !lines.length)
    throw new AppError('not_found', 'There is nothing to download yet.', { subject: 'summary' })
  if (format === 'vtt') return textFile(`${name}.vtt`, formatVtt(lines), 'text/vtt')
  if (format === 'pdf') {
    const part = parseId(searchParams.get('part')) || 1
    const suffix = part > 1 ? `, part ${part}` : ''
    return pdfFile(`${name}${suffix}.pdf`, await printTranscript(ctx, appointment, lines, part))
  }
  return textFile(`${name}.txt`, formatText(lines))
}

const pdfFile = (name: string, content: Buffer): Response =>
  new Response(new Uint8Array(content), {
    headers: { ...attachmentHeaders(toSafeFileName(name), 'application/pdf'), 'Cache-Control': 'private, no-store' },
  })

const textFile = (name: string, text: string, type = 'text/plain'): Response =>
  new Response(text, { headers: attachmentHeaders(toSafeFileName(name), `${type}; charset=utf-8`) })
