import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex } from '#db/columns.ts'
import { lookupPolicy } from '#db/policies.ts'
import { planNames, type PlanName } from '#tenants/accounts/plans.ts'

/**
 * A coach as the platform's customer at Stripe, and the subscription when it was last asked for; one row for each
 * coach.
 */
export const PlanSubscription = defineEntity({
  name: 'PlanSubscription',
  tableName: 'plan_subscription',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    customerId: p.text(),
    subscriptionId: p.text().nullable(),
    /** As Stripe calls it. */
    status: p.text().nullable(),
    /** The plan that is paid for, also while the payment fails; free once it has ended. */
    plan: p.text().$type<PlanName>().default('free'),
    periodEndsAt: p.datetime(3).nullable(),
    /** When it ends, if it was cancelled. */
    cancelsAt: p.datetime(3).nullable(),
    /** The last session of Stripe Checkout, and how many ended before it. */
    checkoutId: p.text().nullable(),
    checkouts: p.integer().default(0),
    /** How often Stripe was asked: a response is stored unless it was asked again in the meantime. */
    syncs: p.integer().default(0),
    syncedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('plan_subscription_coach', '(coach_id)', { unique: true }),
    sqlIndex('plan_subscription_lookup', '(customer_id)'),
  ],
  checks: [
    check('plan_subscription_customer_id_length', maxLength('customer_id', 255)),
    check('plan_subscription_subscription_id_length', maxLength('subscription_id', 255)),
    check('plan_subscription_status_length', maxLength('status', 40)),
    check('plan_subscription_plan_allowed', allowedValues('plan', planNames)),
    check('plan_subscription_checkout_id_length', maxLength('checkout_id', 255)),
  ],
  ...lookupPolicy('plan_subscription'),
})
