import { z } from 'zod'
import { cardPaymentStates } from '../states.ts'

// The parts of Stripe's v2 responses that are used. A new state of theirs counts as the safest of ours.

/** An account of API v2, with its merchant configuration and its requirements. */
export const MerchantResponse = z
  .object({
    closed: z.boolean().nullish(),
    configuration: z.object({
      merchant: z.object({
        capabilities: z.object({
          card_payments: z.object({ status: z.enum(cardPaymentStates).catch('restricted') }),
        }),
      }),
    }),
    requirements: z.object({ entries: z.array(z.object({ awaiting_action_from: z.string() })).default([]) }).nullish(),
  })
  .transform(({ closed, configuration, requirements }) => ({
    closed: closed === true,
    cardPayments: configuration.merchant.capabilities.card_payments.status,
    needsAction: requirements?.entries.some(({ awaiting_action_from }) => awaiting_action_from === 'user') ?? false,
  }))
