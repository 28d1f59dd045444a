import { AppError } from '#app/lib/errors.ts'
import { localDate } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import type { Ctx } from '#tenants/context.ts'
import { getInteraction } from './queries/interactions.ts'

/** The interaction dialog that the URL opens, for a new or an existing interaction. */
export async function getInteractionDialog(ctx: Ctx, clientId: number, params: URLSearchParams) {
  if (params.get('dialog') !== 'interaction') return null
  const zone = ctx.account.timezone
  if (!params.has('interaction'))
    return {
      kind: 'interaction',
      interaction: { id: null, name: '', interactionDate: localDate(ctx.now(), zone), content: null, version: 0 },
    } as const
  try {
    const { id, name, content, interactionDate, version } = await getInteraction(ctx, {
      clientId,
      id: parseId(params.get('interaction')),
    })
    return {
      kind: 'interaction',
      interaction: { id, name, content, version, interactionDate: localDate(interactionDate, zone) },
    } as const
  } catch (error) {
    // Deleted in another tab: the page shows a notice instead of the dialog.
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'not-found' } as const
    throw error
  }
}
