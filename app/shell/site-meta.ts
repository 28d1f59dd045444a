import type { MetaDescriptor } from '@remix-run/node'

import type { HomeOffers } from '#modules/core/manifest.ts'

/** A coach's host, with absolute addresses. */
export type Site = {
  name: string
  description: string | null
  url: string
  image: string | null
  person: { name: string; image: string | null }
}

/**
 * The `meta` of a coach's home page: its one address, the preview of links to it, and structured data. Testimonials are
 * not in it: reviews that a business publishes about itself are against the rules of search engines (decision 0188).
 */
export function describeSite(
  { name, description, url, image, person }: Site,
  { sections, currency }: { sections: HomeOffers[]; currency: string },
  summary: string | null = description,
): MetaDescriptor[] {
  const offers = sections
    .flatMap((section) => section.offers)
    .map((offer) => ({
      '@type': 'Offer',
      name: offer.name,
      url: new URL(offer.to, url).href,
      ...(offer.price ? { price: (offer.price.amount / 100).toFixed(2), priceCurrency: currency.toUpperCase() } : {}),
    }))
  const picture = image ?? person.image
  return [
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: name },
    { property: 'og:url', content: url },
    { name: 'twitter:card', content: 'summary' },
    ...(summary ? [{ property: 'og:description', content: cut(summary, 300) }] : []),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'ProfessionalService',
        name,
        url,
        ...(description ? { description } : {}),
        ...(image ? { logo: image } : {}),
        ...(picture ? { image: picture } : {}),
        founder: { '@type': 'Person', name: person.name, url, ...(person.image ? { image: person.image } : {}) },
        ...(offers.length ? { makesOffer: offers } : {}),
      },
    },
  ]
}

/** A bio as the description of a search result: one line of at most 160 characters. */
export const toDescription = (bio: string): string => cut(bio, 160)

/** The description of a page without a bio. */
export function describeOffers(name: string, person: { name: string } | null, sections: HomeOffers[]): string {
  const offers = sections.flatMap((section) => section.offers).map((offer) => offer.name)
  const coach = person && person.name !== name ? `${name}, coaching with ${person.name}.` : `${name}, coaching.`
  return cut([coach, offers.join(', ')].filter(Boolean).join(' '), 160)
}

/** One line, cut between words. */
function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if ([...line].length <= max) return line
  const start = [...line].slice(0, max - 1).join('')
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`
}
