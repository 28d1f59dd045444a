import { z } from 'zod'
import { email, formId, requiredLine, requiredText } from '#app/lib/zod-types.ts'
import { contactFields, testimonialFields, testimonialFormFields } from './fields.ts'
import { testimonial } from './records.ts'

const quote = requiredText(testimonialFields.quote.required, testimonialFields.quote.max)
const confirmed = testimonialFormFields.permission.required
const permission = z.literal(true, confirmed).describe('That the client permits it')
const checkedBox = z.preprocess((value) => value ?? '', z.literal('yes', confirmed))

export const NewTestimonial = testimonial.create.extend({ quote, permission })
export const TestimonialEdit = testimonial.update.extend({ quote: quote.optional(), permission: permission.optional() })
export type NewTestimonial = z.output<typeof NewTestimonial>
export type TestimonialEdit = z.output<typeof TestimonialEdit>

const asConfirmed = <T extends { permission: 'yes' }>({ permission: _checked, ...input }: T) => ({
  ...input,
  permission: true as const,
})
export const TestimonialForm = testimonial.form.extend({ quote, permission: checkedBox }).transform(asConfirmed)
/** Another text needs the checkbox, as the service checks. */
export const EditTestimonialForm = testimonial.editForm
  .extend({ quote: quote.optional(), permission: z.enum(['yes', '']).optional() })
  .transform(({ permission: box, ...input }) => ({ ...input, ...(box ? { permission: true as const } : {}) }))

export const MoveForm = z.object({ id: formId('This form is incomplete.'), to: z.enum(['up', 'down']) })

/** A hidden input says what the button switches to. */
export const ContactFormSwitch = z.object({ isOn: z.enum(['on', 'off']).transform((value) => value === 'on') })

export const ContactForm = z.object({
  name: requiredLine(contactFields.name.required, contactFields.name.max),
  email: email(contactFields.email.required),
  message: requiredText(contactFields.message.required, contactFields.message.max),
})
export type ContactForm = z.output<typeof ContactForm>
