import { AppError } from '#app/lib/errors.ts'
import { getClient } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { callStripe, hashBody } from '../vendor/client.ts'

/** `key`: what they pay, such as `checkout:3`. `deleted`: a customer who was deleted at Stripe, and is replaced. */
type Payer = { accountId: string; clientId: number; key: string; deleted?: string }

/**
 * The client as a customer of the account. Null for a client in the trash, who may pay all the same. Throws
 * StripeError.
 */
export async function ensureCustomer(ctx: Ctx, { accountId, clientId, key, deleted }: Payer): Promise<string | null> {
  const [known] = await ctx.query<{ customerId: string }>({
    name: 'stripe.customer',
    text: `select customer_id as "customerId" from stripe_customer
      where coach_id = $1 and client_id = $2 and account_id = $3`,
    values: [ctx.coachId, clientId, accountId],
  })
  if (known && known.customerId !== deleted) return known.customerId
  const client = await getClient(ctx, clientId).catch(ignoreMissing)
  if (!client) return null
  const { name, email } = client
  const body = { name: name.slice(0, 256), ...(email ? { email } : {}), metadata: { client: String(clientId) } }
  const customer = await callStripe(ctx.platform.config, (stripe) =>
    stripe.customers.create(body, {
      stripeAccount: accountId,
      // A second customer of the same client does no harm.
      idempotencyKey: `coach:${ctx.coachId}:${key}:customer:${hashBody({ ...body, deleted })}`,
    }),
  )
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-customer',
      text: `insert into stripe_customer (coach_id, client_id, account_id, customer_id) values ($1, $2, $3, $4)
        on conflict (coach_id, client_id, account_id) do update set customer_id = excluded.customer_id
          where stripe_customer.customer_id = $5`,
      values: [ctx.coachId, clientId, accountId, customer.id, deleted ?? null],
    }),
  )
  return customer.id
}

function ignoreMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}
