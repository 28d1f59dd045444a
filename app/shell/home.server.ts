import type { HomeOffers, PublicLink } from '#modules/core/manifest.ts'
import { preloadWidgets } from '#modules/core/slot.tsx'
import { fillSlot, type SlotResult } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'

/** Loads the parts of the coach's public page that modules contribute. */
export async function loadHome(ctx: Ctx): Promise<{ links: PublicLink[]; sections: HomeOffers[] }> {
  const [links, sections] = await Promise.all([fillSlot(ctx, 'home.link'), fillSlot(ctx, 'home.offer')])
  return {
    links: links.flatMap(({ data }) => (data as PublicLink | null) ?? []),
    sections: sections.flatMap(({ data }) => (data as HomeOffers | null) ?? []),
  }
}

/** Loads the sections of the coach's public page below the offers, with their widgets. */
export async function loadHomeSections(ctx: Ctx): Promise<SlotResult[]> {
  return preloadWidgets((await fillSlot(ctx, 'home.section')).filter(({ data }) => data !== null))
}
