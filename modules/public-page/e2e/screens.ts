import { getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { NewTestimonial } from '../forms.ts'
import { sendContactMessage } from '../services/contact-messages.ts'
import { createTestimonial } from '../services/testimonials.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has long texts, and is shown. */
    testimonial: number
    contactMessage: number
  }
}

export const screens: Screen[] = [
  { name: 'public-page', route: '/public-page', path: '/public-page', as: 'full' },
  { name: 'public-page-empty', route: '/public-page', path: '/public-page', as: 'newcomer' },
  { name: 'testimonial-add', route: '/public-page', path: '/public-page?dialog=add', as: 'newcomer' },
  {
    name: 'testimonial-edit',
    route: '/public-page',
    path: ({ testimonial: id }) => `/public-page?dialog=edit&testimonial=${id}`,
    as: 'full',
  },
  {
    name: 'testimonial-history',
    route: '/history/testimonial/:id',
    path: ({ testimonial: id }) => `/history/testimonial/${id}`,
    as: 'full',
  },
  {
    name: 'contact-message-history',
    route: '/history/contact_message/:id',
    path: ({ contactMessage: id }) => `/history/contact_message/${id}`,
    as: 'full',
  },
  { name: 'contact', route: '/contact', path: '/contact', as: 'visitor', host: 'full' },
  { name: 'contact-sent', route: '/contact', path: '/contact?sent', as: 'visitor', host: 'full' },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const text = longText.slice(0, 100)
  const quote = `${longText} ${longText}`.slice(0, 1000)
  const [client] = await getClients(full)
  return inTenant(full, async (tx) => {
    await createTestimonial(tx, NewTestimonial.parse({ quote: 'Short and true.', name: 'Ada', permission: true }))
    const { id } = await createTestimonial(
      tx,
      NewTestimonial.parse({ quote, name: text, role: text, permission: true }),
    )
    const message = { name: text, email: client!.email, message: `${longText}\n\n${longText}` }
    return { testimonial: id, contactMessage: await sendContactMessage(tx, message) }
  })
}
