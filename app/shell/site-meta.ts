import type { MetaDescriptor } from '@remix-run/node'

import type { HomeOffers } from '#modules/core/manifest.ts'

/** A coach's host, with absolute addresses. */
export type Site = { name: string; description: string | null; url: string; image: string | null }

/** The `meta` of a coach's home page: its one address, the preview of links to it, and structured data. */
export function describeSite(
  { name, description, url, image }: Site,
  { sections, currency }: { sections: HomeOffers[]; currency: string },
): MetaDescriptor[] {
  const offers = sections
    .flatMap((section) => section.offers)
    .map((offer) => ({
      '@type': 'Offer',
      name: offer.name,
      url: new URL(offer.to, url).href,
      ...(offer.price ? { price: (offer.price.amount / 100).toFixed(2), priceCurrency: currency.toUpperCase() } : {}),
    }))
  return [
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: name },
    { property: 'og:url', content: url },
    ...(description ? [{ property: 'og:description', content: description.slice(0, 300) }] : []),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'ProfessionalService',
        name,
        url,
        ...(description ? { description } : {}),
        ...(image ? { logo: image, image } : {}),
        ...(offers.length ? { makesOffer: offers } : {}),
      },
    },
  ]
}
