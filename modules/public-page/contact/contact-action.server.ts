import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { runOnce } from '#tenants/api/idempotency.ts'
import { assertStorage } from '#tenants/storage.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { ContactForm } from '../forms.ts'
import { sendContactMessage } from '../services/contact-messages.ts'
import { contactRules, practiceContactRules } from './limits.ts'
import { isContactFormTimely, openContactForm } from './open.server.ts'

const SentContactForm = ContactForm.extend({
  signature: z.string().max(200).default(''),
  /** Only programs fill it in. */
  website: z.string().default(''),
})

/** Sends the contact form: the same one only once. Programs are kept out as in the booking (decision 0052). */
export const contactAction = publicFormActions(
  { send: { done: null, failed: 'Your message could not be sent. Please try again.' } },
  {
    send: {
      schema: SentContactForm,
      run: async (context, { website, signature, ...message }) => {
        const ctx = await openContactForm(context)
        const { address } = context.requestContext
        if (website !== '') throw new AppError('bad_request', 'The message was not sent. Please send it again.')
        if (!isContactFormTimely(ctx, signature))
          throw new AppError('bad_request', 'The form was open for too short or too long. Please send it again.')
        await countAttempt(ctx.platform, { rules: contactRules(address), address })
        await countAttempt(ctx.platform, { rules: practiceContactRules(ctx.coachId), address })
        await assertStorage(ctx)
        const { name, email, message: text } = message
        const requestHash = createHash('sha256')
          .update(JSON.stringify([signature, name, email, text]))
          .digest()
        const key = `contact-form ${requestHash.toString('hex')}`
        await ctx.write((tx) =>
          runOnce(tx, { key, requestHash }, async () => {
            await sendContactMessage(tx, message)
            return { status: 201, body: null }
          }),
        )
        return success({ to: '/contact?sent' })
      },
      // The visitor can't make room.
      onError: ({ code }) =>
        code === 'plan_limit'
          ? { message: 'Messages can’t be sent here at the moment. Please try again later.' }
          : undefined,
    },
  },
  { home: '/contact' },
)
