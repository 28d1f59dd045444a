import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientContacts } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewTestimonial } from './forms.ts'
import { listTestimonials } from './queries/testimonials.ts'
import { switchContactForm } from './services/settings.ts'
import { createTestimonial } from './services/testimonials.ts'

const demoTestimonials: Record<
  DemoPractice['which'],
  { quote: string; name: string; role?: string; isShown?: boolean }[]
> = {
  first: [
    {
      quote:
        'I came with a list of complaints about my job and left with a plan for the next one. Six months later I had it.',
      name: 'M. K.',
      role: 'Head of product',
    },
    {
      quote: 'She asks the question that I had avoided for a year, and then she waits. That is worth a lot.',
      name: 'Jonas R.',
      role: 'Founder',
    },
    {
      quote: 'Clear, warm and never in a hurry. Our whole team talks to each other in another way now.',
      name: 'Priya S.',
      role: 'Director, Northwind',
    },
    { quote: 'Thank you for the sessions in spring!', name: 'A client', isShown: false },
  ],
  second: [
    { quote: 'I ran ten kilometers without a break. In January I could not run one.', name: 'Lea B.' },
    { quote: 'Patient, honest and always on time.', name: 'T. W.', role: 'Nurse' },
  ],
}

const demoMessages = [
  { hours: 30, message: 'Thank you for the last session. Do you also work with couples? My partner is interested.' },
  { hours: 5, message: 'I found your page through a friend.\n\nAre there evening appointments?' },
]

/** Fills the demo practice, once. Without emails: the messages are older than the practice. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await listTestimonials(ctx, { rows: 1 })).length) return
  const client = (await listClientContacts(ctx)).find(({ email }) => email)
  await ctx.write(async (tx) => {
    for (const input of demoTestimonials[which])
      await createTestimonial(tx, NewTestimonial.parse({ ...input, permission: true }))
    await switchContactForm(tx, { isOn: true })
    if (!client) return
    for (const { hours, message } of demoMessages) {
      const at = new Date(now.getTime() - hours * 3_600_000)
      await tx.query({
        name: 'public-page.add-demo-message',
        text: `insert into contact_message (coach_id, client_id, name, email, message, notified_at, created_at, updated_at)
          values ($1, $2, $3, $4, $5, $6, $6, $6)`,
        values: [tx.coachId, client.id, client.name, client.email, message, at],
      })
    }
  })
}
