import type { LoaderFunctionArgs } from '@remix-run/node'
import { downloadPdf } from '../documents/download.server.ts'
import { getInvoiceFile } from '../documents/files.ts'
import { openInvoiceLink } from '../invoices/invoice-link.server.ts'
import { invoiceRecord } from '../invoices/records.ts'

/** The PDF of the invoice of a signed link. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const link = await openInvoiceLink(context, params.token ?? '')
  if (!link || link.invoice.status === 'void') throw invoiceRecord.notFound()
  return downloadPdf(await getInvoiceFile(link.ctx, link.invoice.id))
}
