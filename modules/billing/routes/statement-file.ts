import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { printStatement } from '../statements/document.ts'
import { getWholeStatement } from '../statements/page.server.ts'

/** A client's statement as a PDF. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  return downloadPdf(await printStatement(ctx, await getWholeStatement(ctx, parseId(params.id), request.url)))
}
