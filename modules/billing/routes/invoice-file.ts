import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { getInvoiceFile } from '../documents/files.ts'

/** The PDF of an invoice or a credit note. */
export const loader = async ({ context, params }: LoaderFunctionArgs) =>
  downloadPdf(await getInvoiceFile(context.coach(), parseId(params.id)))
