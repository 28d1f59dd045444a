import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { getReceiptFile } from '../documents/files.ts'

/** The receipt of a payment. */
export const loader = async ({ context, params }: LoaderFunctionArgs) =>
  downloadPdf(await getReceiptFile(context.coach(), parseId(params.entry)))
