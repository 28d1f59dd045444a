import type { HomeOffers, PublicLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'

/** Loads the parts of the coach's public page that modules contribute. */
export async function loadHome(ctx: Ctx): Promise<{ links: PublicLink[]; sections: HomeOffers[] }> {
  const [links, sections] = await Promise.all([fillSlot(ctx, 'home.link'), fillSlot(ctx, 'home.offer')])
  return {
    links: links.flatMap(({ data }) => (data as PublicLink | null) ?? []),
    sections: sections.flatMap(({ data }) => (data as HomeOffers | null) ?? []),
  }
}
