import { formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import { findClientEmail } from '#modules/billing/index.ts'
import { getClient, isReadOnly } from '#modules/crm/index.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { Ctx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import { callStripe } from '../vendor/client.ts'
import { getSubscriptionUrl } from './link.ts'
import { findSubscription, type Subscription } from './queries.ts'
import { describePart, describeTerms } from './terms.ts'

/** Emails the client the link to what is offered, unless it has begun, was withdrawn, or the client is read-only. */
export async function emailOffer(ctx: Ctx, subscriptionId: number): Promise<void> {
  const subscription = await findSubscription(ctx, 'id', subscriptionId)
  const url = getSubscriptionUrl(ctx, subscriptionId)
  if (subscription?.state !== 'offered' || !url) return
  const { productName } = subscription
  await send(ctx, subscription, (sender) => ({
    subject: `${productName} from ${sender}`,
    paragraphs: [`here is the link to pay for ${productName}: ${describeTerms(subscription)}.`],
    button: { label: 'Pay by Card', url },
  }))
}

/**
 * Tells the client that a charge has failed, or waits until they agree with their bank, with the page where it can be
 * paid, unless it is paid by then.
 */
export async function emailFailure(ctx: Ctx, chargeRowId: number): Promise<void> {
  const [charge] = await ctx.query<FailedCharge>({
    name: 'stripe.failed-charge',
    text: `select charge_id as "chargeId", payment_intent_id as "paymentIntentId",
        subscription_row_id as "subscriptionId", part, amount
      from stripe_charge where coach_id = $1 and id = $2 and state = 'failed'`,
    values: [ctx.coachId, chargeRowId],
  })
  if (!charge || !ctx.account.emailVerified) return
  const subscription = await findSubscription(ctx, 'id', charge.subscriptionId)
  if (!subscription?.accountId) return
  const { accountId, productName, parts, currency } = subscription
  const invoice = await callStripe(ctx.platform.config, (stripe) =>
    stripe.invoices.retrieve(charge.chargeId, {}, { stripeAccount: accountId }),
  )
  if (invoice.status !== 'open' || !invoice.hosted_invoice_url) return
  const { next_payment_attempt: next, hosted_invoice_url: url } = invoice
  const money = formatMoney(charge.amount, currency)
  const part = describePart({ productName, parts, part: charge.part })
  if (await needsClient(ctx, charge, accountId))
    return send(ctx, subscription, () => ({
      subject: `Confirm your payment for ${productName}`,
      paragraphs: [
        `your bank asks you to confirm the payment of ${money} for ${part}.`,
        'It is not paid until you have confirmed it.',
      ],
      button: { label: 'Confirm Payment', url },
    }))
  await send(ctx, subscription, () => ({
    subject: `Your payment for ${productName} failed`,
    paragraphs: [
      `your card could not be charged ${money} for ${part}.`,
      next
        ? `It is tried again on ${formatDate(new Date(next * 1000), ctx.account.timezone)}. You can also pay now, with another card too.`
        : 'It is not tried again. Please pay with another card.',
    ],
    button: { label: `Pay ${money}`, url },
  }))
}

type FailedCharge = {
  chargeId: string
  paymentIntentId: string | null
  subscriptionId: number
  part: number
  amount: number
}

/** Whether the bank wants the client to agree. Throws StripeError. */
async function needsClient(ctx: Ctx, { paymentIntentId }: FailedCharge, stripeAccount: string): Promise<boolean> {
  if (!paymentIntentId) return false
  const { status } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.paymentIntents.retrieve(paymentIntentId, {}, { stripeAccount }),
  )
  return status === 'requires_action'
}

async function send(
  ctx: Ctx,
  { clientId }: Subscription,
  write: (sender: string) => Pick<Email, 'subject' | 'paragraphs' | 'button'>,
): Promise<void> {
  const to = await findClientEmail(ctx, clientId)
  const from = await getSender(ctx.platform, ctx.coachId)
  if (!to || !from || clientId === null) return
  const client = await getClient(ctx, clientId)
  // These emails ask for money.
  if (await isReadOnly(ctx, client)) return
  const { subject, paragraphs, button } = write(from.name)
  const email = { to, subject, paragraphs: [`Hello ${client.name},`, ...paragraphs], button, from }
  await sendEmail(ctx.platform.config, { ...email, replyTo: ctx.account.email }, ctx.platform.now())
}
