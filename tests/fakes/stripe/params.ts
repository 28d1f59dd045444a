import type { Stripe } from 'stripe'
import { z } from 'zod'
import { ApiError } from './errors.ts'

// The parameters of the calls that the product makes: anything else is refused, as Stripe refuses it. Each schema is
// compared with the SDK's own type when the project is type-checked.

/** Every form value is a text. */
const int = () =>
  z
    .union([z.number(), z.string().regex(/^-?\d+$/)])
    .transform(Number)
    .pipe(z.int())
const bool = () => z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const text = (max = 5000) => z.string().min(1).max(max)
const metadata = () => z.record(z.string().max(40), z.string().max(500))
const currency = () => z.string().regex(/^[a-z]{3}$/)
const address = () => z.url().max(5000)
const limit = () => int().pipe(z.int().min(1).max(100))
const range = () => z.strictObject({ gt: int(), gte: int(), lt: int(), lte: int() }).partial()
const page = { limit: limit().optional(), starting_after: text().optional() }
const expand = { expand: z.array(text()).max(20).optional() }

type KnownKeys<Output, Params> = Exclude<keyof Output, keyof Params> extends never ? unknown : never
/** A schema whose output is what the SDK's method takes. */
const like =
  <Params>() =>
  <S extends z.ZodType<unknown>>(
    schema: S & (z.output<S> extends Params ? KnownKeys<z.output<S>, Params> : never),
  ): S =>
    schema

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: int().pipe(z.int().min(1)).optional(),
})
const priceData = z.strictObject({
  currency: currency(),
  unit_amount: int().pipe(z.int().min(0).max(99_999_999)),
  product_data: z.strictObject({
    name: text(),
    description: text().optional(),
    metadata: metadata().optional(),
  }),
  recurring: recurring.optional(),
})

export const CustomerCreate = like<Stripe.CustomerCreateParams>()(
  z.strictObject({
    email: z.email().max(512).optional(),
    name: text(256).optional(),
    phone: text(20).optional(),
    description: text().optional(),
    metadata: metadata().optional(),
    ...expand,
  }),
)

export const SessionCreate = like<Stripe.Checkout.SessionCreateParams>()(
  z.strictObject({
    mode: z.enum(['payment', 'subscription', 'setup']),
    line_items: z
      .array(
        z.strictObject({
          quantity: int().pipe(z.int().min(1)),
          price: text().optional(),
          price_data: priceData.optional(),
        }),
      )
      .min(1)
      .max(100)
      .optional(),
    success_url: address(),
    cancel_url: address().optional(),
    customer: text().optional(),
    customer_email: z.email().optional(),
    client_reference_id: text(200).optional(),
    expires_at: int().optional(),
    allowed_payment_method_types: z
      .array(z.enum(['card', 'us_bank_account', 'sepa_debit']))
      .min(1)
      .optional(),
    metadata: metadata().optional(),
    payment_intent_data: z
      .strictObject({ metadata: metadata().optional(), description: text(1000).optional() })
      .optional(),
    subscription_data: z
      .strictObject({
        metadata: metadata().optional(),
        description: text(500).optional(),
        trial_end: int().optional(),
      })
      .optional(),
    allow_promotion_codes: bool().optional(),
    ...expand,
  }),
)

export const SessionList = like<Stripe.Checkout.SessionListParams>()(
  z.strictObject({
    payment_intent: text().optional(),
    subscription: text().optional(),
    customer: text().optional(),
    status: z.enum(['open', 'complete', 'expired']).optional(),
    created: range().optional(),
    ...page,
    ...expand,
  }),
)

export const RefundCreate = like<Stripe.RefundCreateParams>()(
  z.strictObject({
    payment_intent: text(),
    amount: int().pipe(z.int().min(1)).optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: metadata().optional(),
    ...expand,
  }),
)

export const RefundList = like<Stripe.RefundListParams>()(
  z.strictObject({ payment_intent: text().optional(), created: range().optional(), ...page, ...expand }),
)

export const PaymentIntentRetrieve = like<Stripe.PaymentIntentRetrieveParams>()(
  z.strictObject({ expand: z.array(z.literal('latest_charge')).optional() }),
)

export const PaymentIntentList = like<Stripe.PaymentIntentListParams>()(
  z.strictObject({ customer: text().optional(), created: range().optional(), ...page, ...expand }),
)

export const SubscriptionList = like<Stripe.SubscriptionListParams>()(
  z.strictObject({
    customer: text().optional(),
    price: text().optional(),
    status: z
      .enum(['all', 'active', 'canceled', 'ended', 'incomplete', 'past_due', 'paused', 'trialing', 'unpaid'])
      .optional(),
    created: range().optional(),
    ...page,
    ...expand,
  }),
)

export const SubscriptionUpdate = like<Stripe.SubscriptionUpdateParams>()(
  z.strictObject({
    cancel_at_period_end: bool().optional(),
    items: z
      .array(
        z.strictObject({
          id: text().optional(),
          price: text().optional(),
          price_data: z
            .strictObject({
              currency: currency(),
              unit_amount: int(),
              product: text(),
              recurring,
            })
            .optional(),
          quantity: int().optional(),
        }),
      )
      .optional(),
    metadata: metadata().optional(),
    pause_collection: z
      .union([
        z.literal(''),
        z.strictObject({
          behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']),
          resumes_at: int().optional(),
        }),
      ])
      .optional(),
    proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
    proration_date: int().optional(),
    payment_behavior: z
      .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
      .optional(),
    ...expand,
  }),
)

export const ProductCreate = like<Stripe.ProductCreateParams>()(
  z.strictObject({ name: text(), metadata: metadata().optional(), ...expand }),
)

export const InvoicePreview = like<Stripe.InvoiceCreatePreviewParams>()(
  z.strictObject({
    subscription: text(),
    subscription_details: z.strictObject({
      items: z
        .array(
          z.strictObject({
            id: text(),
            price_data: z.strictObject({ currency: currency(), unit_amount: int(), product: text(), recurring }),
          }),
        )
        .min(1),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
      proration_date: int().optional(),
    }),
    ...expand,
  }),
)

export const SubscriptionCancel = like<Stripe.SubscriptionCancelParams>()(
  z.strictObject({ invoice_now: bool().optional(), prorate: bool().optional(), ...expand }),
)

export const ScheduleCreate = like<Stripe.SubscriptionScheduleCreateParams>()(
  z.strictObject({ from_subscription: text(), metadata: metadata().optional(), ...expand }),
)

export const ScheduleUpdate = like<Stripe.SubscriptionScheduleUpdateParams>()(
  z.strictObject({
    end_behavior: z.enum(['cancel', 'release']).optional(),
    proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
    metadata: metadata().optional(),
    phases: z
      .array(
        z.strictObject({
          start_date: int().optional(),
          items: z.array(z.strictObject({ price: text(), quantity: int().optional() })).min(1),
          duration: z
            .strictObject({
              interval: z.enum(['day', 'week', 'month', 'year']),
              interval_count: int().optional(),
            })
            .optional(),
          proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
        }),
      )
      .min(1)
      .optional(),
    ...expand,
  }),
)

export const InvoiceList = like<Stripe.InvoiceListParams>()(
  z.strictObject({
    customer: text().optional(),
    subscription: text().optional(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    created: range().optional(),
    ...page,
    ...expand,
  }),
)

export const InvoicePaymentList = like<Stripe.InvoicePaymentListParams>()(
  z.strictObject({
    payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text() }).optional(),
    ...page,
    ...expand,
  }),
)

export const InvoiceUpdate = like<Stripe.InvoiceUpdateParams>()(
  z.strictObject({ auto_advance: bool().optional(), metadata: metadata().optional(), ...expand }),
)

export const InvoiceFinalize = like<Stripe.InvoiceFinalizeInvoiceParams>()(
  z.strictObject({ auto_advance: bool().optional(), ...expand }),
)

export const EventList = like<Stripe.EventListParams>()(
  z.strictObject({ created: range().optional(), types: z.array(text()).max(20).optional(), ...page, ...expand }),
)

export const DisputeList = like<Stripe.DisputeListParams>()(
  z.strictObject({ payment_intent: text().optional(), created: range().optional(), ...page, ...expand }),
)

export const PortalSessionCreate = like<Stripe.BillingPortal.SessionCreateParams>()(
  z.strictObject({
    customer: text(),
    return_url: address().optional(),
    flow_data: z
      .discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('subscription_cancel'),
          subscription_cancel: z.strictObject({ subscription: text() }),
        }),
        z.strictObject({
          type: z.literal('subscription_update_confirm'),
          subscription_update_confirm: z.strictObject({
            subscription: text(),
            items: z.array(z.strictObject({ id: text(), price: text(), quantity: int() })).length(1),
          }),
        }),
      ])
      .optional(),
    ...expand,
  }),
)

export const Nothing = z.strictObject(expand)

export const AccountCreate = like<Stripe.V2.Core.AccountCreateParams>()(
  z.strictObject({
    contact_email: z.email(),
    display_name: text(100),
    dashboard: z.enum(['full', 'express', 'none']),
    identity: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/) }),
    include: z.array(z.enum(['configuration.merchant', 'requirements', 'defaults', 'identity'])).optional(),
    defaults: z.strictObject({
      currency: currency(),
      responsibilities: z.strictObject({
        fees_collector: z.enum(['stripe', 'application']),
        losses_collector: z.enum(['stripe', 'application']),
      }),
    }),
    configuration: z.strictObject({
      merchant: z.strictObject({
        capabilities: z.strictObject({ card_payments: z.strictObject({ requested: z.literal(true) }) }),
      }),
    }),
    metadata: metadata().optional(),
  }),
)

export const AccountRetrieve = like<Stripe.V2.Core.AccountRetrieveParams>()(
  z.strictObject({
    include: z.array(z.enum(['configuration.merchant', 'requirements', 'defaults', 'identity'])).optional(),
  }),
)

const onboarding = z.strictObject({ refresh_url: address(), return_url: address().optional() })
export const AccountLinkCreate = like<Stripe.V2.Core.AccountLinkCreateParams>()(
  z.strictObject({
    account: text(),
    use_case: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('account_onboarding'), account_onboarding: onboarding }),
      z.strictObject({ type: z.literal('account_update'), account_update: onboarding }),
    ]),
  }),
)

/** Parses as Stripe does: `a[b][0]=c`. */
export function decodeForm(encoded: string): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(encoded)) {
    const keys = [...name.matchAll(/([^[\]]+)/g)].map(([key]) => key)
    let at = result
    for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>
    at[keys.at(-1)!] = value
  }
  return toArrays(result) as Record<string, unknown>
}

function toArrays(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, toArrays(inner)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

/** Throws the error that Stripe returns. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const param = [...issue.path, ...(unknown ? [unknown] : [])].map(String).join('.')
  const isMissing = issue.code === 'invalid_type' && readAt(params, issue.path) === undefined
  const code = unknown ? 'parameter_unknown' : isMissing ? 'parameter_missing' : 'parameter_invalid'
  throw new ApiError(400, { code, param, message: `${code}: ${param}: ${issue.message}` })
}

function readAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value)
}
