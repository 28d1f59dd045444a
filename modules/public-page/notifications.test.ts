import { test } from 'vitest'
import { listOutbox } from '#tenants/mail.ts'
import { createCoach, inTenant } from '#tests/support/factories.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { sendContactMessage } from './services/contact-messages.ts'
import { notify } from './services/notifications.ts'

const app = createTestApp()

test('the coach gets no email about a message if they have switched it off', () =>
  expectSwitchable('public-page.contact', async () => {
    const coach = await createCoach()
    const message = { name: 'Noor Aziz', email: `noor-${coach.id}@example.com`, message: 'Do you have time in May?' }
    const contactMessageId = await inTenant(coach, (tx) => sendContactMessage(tx, message))
    return {
      coach,
      send: async () => {
        await notify(app.platform, { coachId: coach.id, contactMessageId })
        return (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === coach.email).length
      },
    }
  }))
