import type { RecordKind } from '#modules/core/manifest.ts'
import { contactMessage, testimonial } from './records.ts'
import { restoreContactMessage } from './services/contact-messages.ts'
import { restoreTestimonial } from './services/testimonials.ts'

export const recordKinds: RecordKind[] = [
  testimonial.recordKind({
    permission: 'public-page:testimonial',
    title: 'r.name',
    to: `'/public-page?dialog=edit&testimonial=' || r.id`,
    restore: restoreTestimonial,
    fields: { permission_at: { label: 'Permission confirmed', as: 'time' } },
  }),
  contactMessage.recordKind({
    permission: 'public-page:contact-message',
    title: 'r.name',
    to: `'/public-page?message=' || r.id || '#messages'`,
    restore: restoreContactMessage,
    fields: { client_id: { label: 'Client', of: 'client' }, prospect_id: 'Prospect' },
  }),
]
