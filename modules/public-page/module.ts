import { reassignClient, reassignProspect } from '#modules/crm/index.ts'
import { implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { contactMessageReceived } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { ContactMessage, PublicPageSettings, Testimonial } from './schema.ts'
import { seed } from './seed.ts'
import { reassignToClient, reassignToProspect } from './services/contact-messages.ts'
import { notify, notifyQueue, type NotifyJob } from './services/notifications.ts'
import { recordKinds } from './trash.ts'

export default defineModule({
  id: 'public-page',
  dependsOn: ['crm'],
  entities: [Testimonial, ContactMessage, PublicPageSettings],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'public-page', file: 'routes/public-page.tsx' },
    { path: 'contact', file: 'routes/contact.tsx', layout: 'public' },
  ],
  nav: [
    {
      label: 'Public Page',
      to: '/public-page',
      otherPaths: ['/history/testimonial', '/history/contact_message'],
      icon: 'globe',
      section: 'lower',
      order: 10,
      permission: 'public-page:testimonial:read',
    },
  ],
  notifications: [{ kind: 'public-page.contact', label: 'A visitor sends the contact form' }],
  publishedEvents: [{ event: contactMessageReceived, label: 'Contact form sent' }],
  clientRecords: [{ table: 'contact_message', label: ['contact message', 'contact messages'] }],
  recordKinds,
  contributions,
  hooks: [
    implementHook('public-page', reassignProspect, reassignToClient),
    implementHook('public-page', reassignClient, reassignToProspect),
  ],
  jobs: [
    {
      name: notifyQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, data) => notify(platform, data as NotifyJob),
    },
  ],
  seed,
})
