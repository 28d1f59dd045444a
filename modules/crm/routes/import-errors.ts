import type { LoaderFunctionArgs } from '@remix-run/node'
import { attachment } from '../download-response.server.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { errorFileOf } from '../queries/imports.ts'

/** The rows of an import that didn't come in, as a file to correct and bring back. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { name, text } = await errorFileOf(context.coach(), parseId(params.id))
  return new Response(text, { headers: attachment(name) })
}
