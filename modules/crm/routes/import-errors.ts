import type { LoaderFunctionArgs } from '@remix-run/node'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { parseId } from '#app/lib/url.ts'
import { getErrorFile } from '../import/preview.ts'

/** Downloads the rows of an import that were rejected. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { name, text } = await ctx.platform.tenantSlots.run(ctx.coachId, 'preview', () =>
    getErrorFile(ctx, parseId(params.id)),
  )
  return csvResponse(ctx, name, text)
}
