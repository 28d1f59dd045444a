import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { openPortal, startCheckout } from '../plan/checkout.ts'
import { getRequestOrigin } from '../request-origin.ts'

const page = '/upgrade'

export function loader({ context }: LoaderFunctionArgs) {
  context.coach()
  return redirect(page)
}

const messages = { pay: { done: null, failed: 'Failed to open Stripe.' } }

/**
 * Sends the coach to Stripe: to pay for a plan, to end it, or to manage it. They come back to the host that they left.
 * Without a transaction of its own, since it calls Stripe.
 */
export const action = publicFormActions(
  messages,
  {
    pay: {
      schema: z.object({ choice: z.enum(['free', 'pro', 'premium', 'manage']) }),
      isButton: true,
      to: () => page,
      run: async (context, { choice }) => {
        const origin = getRequestOrigin(context)
        const ctx = context.coach()
        const to =
          choice === 'pro' || choice === 'premium'
            ? await startCheckout(ctx, choice, origin)
            : await openPortal(ctx, { origin, cancels: choice === 'free' })
        return success({ to })
      },
    },
  },
  { home: page, authorize: (context) => void context.coach() },
)
