import { formatDate } from '#app/lib/time.ts'
import { getGraceEnd, plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'

/** A job with a coach's id and the time of the first failure. */
export const planFailureQueue = 'stripe.email-plan-failure'

/** Tells the coach until when the plan is kept, unless it is paid by then, or this was another failure. */
export async function emailPlanFailure(ctx: Ctx, failedAt: string): Promise<void> {
  const { email, firstName, timezone, paymentFailedAt } = ctx.account
  const until = getGraceEnd(ctx)
  if (!until || until <= ctx.now() || Date.parse(paymentFailedAt!) !== Date.parse(failedAt)) return
  const { config } = ctx.platform
  const { title } = plans[ctx.plan]
  await sendEmail(
    config,
    {
      to: email,
      subject: `The payment for your ${title} plan failed`,
      paragraphs: [
        `Hello ${firstName},`,
        `your card could not be charged for the ${title} plan. You keep ${title} until ${formatDate(until, timezone)}.`,
        'Update your card by then. Otherwise you move to Free: nothing is deleted and everything stays readable, but clients over its limit can’t be changed.',
      ],
      button: { label: 'Update Card', url: `${config.origin}/upgrade` },
      from: null,
    },
    ctx.now(),
  )
}
