/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'public-page:testimonial:read': 'See testimonials',
  'public-page:testimonial:write': 'Add, edit, order and delete testimonials',
  'public-page:contact-message:read': 'Read what visitors send with the contact form',
  'public-page:contact-message:write': 'Switch the contact form on and off, and delete messages',
  'public-page:contact-form:write': 'Send the contact form of the public page',
} as const
