import { resource } from '#tenants/api/resource.ts'
import { NewTestimonial, TestimonialEdit } from './forms.ts'
import { getContactMessage, listContactMessages } from './queries/contact-messages.ts'
import { getTestimonial, listTestimonials } from './queries/testimonials.ts'
import { contactMessage, testimonial } from './records.ts'
import { deleteContactMessage, restoreContactMessage } from './services/contact-messages.ts'
import { createTestimonial, deleteTestimonial, restoreTestimonial, updateTestimonial } from './services/testimonials.ts'

const tag = 'Public page'

export const operations = [
  ...resource({
    path: '/testimonials',
    tag,
    noun: 'testimonial',
    output: testimonial.output,
    get: getTestimonial,
    list: { run: listTestimonials },
    create: {
      description: 'At most 50. `permission` says that the client permits it.',
      body: NewTestimonial,
      run: createTestimonial,
    },
    update: {
      description: 'Another text or name needs `permission` again.',
      body: TestimonialEdit,
      run: updateTestimonial,
    },
    delete: { run: deleteTestimonial },
    restore: restoreTestimonial,
  }),
  ...resource({
    path: '/contact-messages',
    tag,
    noun: 'contact message',
    output: contactMessage.output,
    get: getContactMessage,
    list: { description: 'What visitors sent with the contact form, newest first.', run: listContactMessages },
    delete: { run: deleteContactMessage },
    restore: restoreContactMessage,
  }),
]
