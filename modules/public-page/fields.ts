import type { Fields } from '#app/lib/fields.ts'

/** Testimonials of a practice, without the trash; and those that the public page shows. */
export const maxTestimonials = 50
export const shownTestimonials = 12

export const testimonialFields = {
  quote: { kind: 'text', label: 'Quote', required: 'Enter what your client said', max: 1000 },
  name: { kind: 'line', label: 'Name', required: 'Enter the name to show', max: 100 },
  role: { kind: 'line', label: 'Role or company', max: 100, optional: true },
  isShown: {
    kind: 'flag',
    label: 'Public page',
    choices: { shown: 'Shown', hidden: 'Hidden' },
    message: 'Choose whether to show it',
    default: true,
  },
} as const satisfies Fields

/** The form that adds one asks for the client's permission, and the other one when the text changes. */
export const testimonialFormFields = {
  ...testimonialFields,
  permission: {
    kind: 'line',
    label: 'I have permission to publish this',
    required: 'Confirm that you have permission',
  },
} as const satisfies Fields

/** The contact form of visitors. Plain data: the public page uses it too. */
export const contactFields = {
  name: { kind: 'line', label: 'Name', required: 'Enter your name', max: 100 },
  email: { kind: 'email', label: 'Email', required: 'Enter your email address' },
  message: { kind: 'text', label: 'Message', required: 'Write a message', max: 5000 },
} as const satisfies Fields
