import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import type { PdfFile } from './contract-file.ts'

/** A PDF that browsers save. */
export const downloadPdf = ({ name, content }: PdfFile): Response =>
  new Response(new Uint8Array(content), {
    headers: { ...attachmentHeaders(name, 'application/pdf'), 'Cache-Control': 'private, no-cache' },
  })
