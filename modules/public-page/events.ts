import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ testimonialId: z.int() })

export const testimonialCreated = defineEvent('public-page.testimonial-created', payload)
export const testimonialUpdated = defineEvent('public-page.testimonial-updated', payload)
/** Moved to the trash. */
export const testimonialDeleted = defineEvent('public-page.testimonial-deleted', payload)
export const testimonialRestored = defineEvent('public-page.testimonial-restored', payload)

/** A visitor sent the contact form. Both are null where there is no pipeline. */
export const contactMessageReceived = defineEvent(
  'public-page.contact-message-received',
  z.object({ contactMessageId: z.int(), clientId: z.int().nullable(), prospectId: z.int().nullable() }),
)
