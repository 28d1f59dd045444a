import { z } from 'zod'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { contactFields, testimonialFields } from './fields.ts'

/** A text by a client, for the public page. */
export const testimonial = defineRecord({
  kind: 'testimonial',
  label: 'Testimonial',
  fields: testimonialFields,
  computed: {
    position: { output: z.int().describe('The order on the page, lowest first'), sql: 'position' },
    permissionAt: timestamp('permission_at'),
    updatedAt: timestamp('updated_at'),
  },
})
export type TestimonialRecord = z.output<typeof testimonial.output>

/** A message that a visitor sent with the contact form. */
export const contactMessage = defineRecord({
  kind: 'contact_message',
  label: 'Contact message',
  fields: contactFields,
  computed: {
    clientId: { output: z.int().nullable(), sql: 'client_id' },
    prospectId: { output: z.int().nullable(), sql: 'prospect_id' },
  },
})
export type ContactMessageRecord = z.output<typeof contactMessage.output>
