import { renderToStaticMarkup } from 'react-dom/server'
import { Slot, preloadWidgets } from '#modules/core/slot.tsx'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'

/**
 * The markup of the sections of the public page that modules contribute, by the server: the landing page, which shares
 * its code with the public page, loads no code for them. Null without any.
 */
export async function renderHomeSections(ctx: Ctx): Promise<string | null> {
  const filled = (await fillSlot(ctx, 'home.section')).filter(({ data }) => data !== null)
  if (!filled.length) return null
  return renderToStaticMarkup(<Slot filled={await preloadWidgets(filled)} />)
}
