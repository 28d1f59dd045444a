import { escapeMarkup } from '#app/lib/markup.ts'
import type { Contribution } from '#modules/core/manifest.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { signContactForm } from './contact/open.server.ts'
import { listMessagesOfClient } from './queries/contact-messages.ts'
import { hasContactForm } from './queries/settings.ts'
import { listShown } from './queries/testimonials.ts'

const permission = 'public-page:contact-message:read'

const prospectLinks = [{ label: 'Contact Form Messages', to: '/public-page?prospect={id}#messages' }]

export const contributions: Contribution[] = [
  { slot: 'home.section', widget: 'home-testimonials', order: 10, load: loadTestimonials },
  { slot: 'home.section', widget: 'home-contact', order: 20, load: loadContactForm },
  { slot: 'prospect.menu', order: 50, permission, load: async () => prospectLinks },
  {
    slot: 'client.timeline',
    order: 65,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
]

async function loadTestimonials(ctx: Ctx) {
  const testimonials = await listShown(ctx)
  return testimonials.length ? testimonials : null
}

async function loadContactForm(ctx: Ctx) {
  return (await hasContactForm(ctx)) ? { signature: signContactForm(ctx) } : null
}
export type HomeContact = NonNullable<Awaited<ReturnType<typeof loadContactForm>>>

async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const messages = await listMessagesOfClient(ctx, clientId, rows)
  return messages.map(({ id, name, message, at }) => ({
    key: `contact-message ${id}`,
    at,
    kind: 'message',
    title: `Message from the contact form, signed “${name}”`,
    text: escapeMarkup(message),
    to: `/public-page?message=${id}#messages`,
  }))
}
