import { randomUUID } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findAccount } from '../queries/account.ts'
import type { AccountError, CardPaymentState } from '../states.ts'
import { callStripe, hashBody, requireStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { MerchantResponse } from '../vendor/responses.ts'
import { describeFailure } from '../status.ts'

const settingsPath = '/settings/payments'
/** Stripe needs it before the coach says more; they can't change it later. */
const defaultCountry = 'US'

/**
 * Returns the address at Stripe where the coach sets up card payments: it works once, for some minutes. Creates the
 * account with the first call. `country`: two capital letters. `origin`: where they come back to, by default the
 * platform's host; `isOnboarding`: to the onboarding. Throws unavailable, upstream_failed.
 */
export async function beginOnboarding(
  ctx: Ctx,
  {
    country = defaultCountry,
    origin = ctx.platform.config.origin,
    isOnboarding = false,
  }: { country?: string | undefined; origin?: string; isOnboarding?: boolean } = {},
): Promise<string> {
  authorize(ctx, 'stripe:account:write')
  requireStripe(ctx.platform.config)
  const { id, accountId } = await ctx.write(addAccount)
  try {
    const account = accountId ?? (await createAccount(ctx, id, country))
    return await createLink(ctx, { account, origin, isOnboarding })
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    // Stripe doesn't know the account any more: the next try begins with a new one.
    if (error.kind === 'revoked' || error.kind === 'not_found') await ctx.write((tx) => deleteAccount(tx, id))
    ctx.platform.log.warn({ account: ctx.coachId, kind: error.kind, code: error.code }, 'Stripe failed')
    throw new AppError('upstream_failed', `Failed to connect to Stripe. ${describeFailure(error)}`)
  }
}

/** The next link of a coach whose link has ended; null for one who has not begun, or has disconnected. */
export async function continueOnboarding(
  ctx: Ctx,
  options: { origin: string; isOnboarding?: boolean },
): Promise<string | null> {
  const known = await findAccount(ctx)
  return known?.accountId && !known.disconnectedAt ? beginOnboarding(ctx, options) : null
}

async function addAccount(ctx: WriteCtx): Promise<{ id: number; accountId: string | null }> {
  const [account] = await ctx.query<{ id: number; accountId: string | null }>({
    name: 'stripe.add-account',
    text: `insert into stripe_account (coach_id, created_at) values ($1, $2)
      on conflict (coach_id) do update set disconnected_at = null
      returning id, account_id as "accountId"`,
    values: [ctx.coachId, ctx.now()],
  })
  return account!
}

async function createAccount(ctx: Ctx, id: number, country: string): Promise<string> {
  const { email, businessName, firstName, lastName, currency } = ctx.account
  const body = {
    contact_email: email,
    display_name: (businessName ?? `${firstName} ${lastName}`).slice(0, 100),
    dashboard: 'full' as const,
    identity: { country },
    include: ['configuration.merchant' as const, 'requirements' as const],
    defaults: {
      currency,
      responsibilities: { fees_collector: 'stripe' as const, losses_collector: 'stripe' as const },
    },
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
  }
  const account = await callStripe(ctx.platform.config, (stripe) =>
    stripe.v2.core.accounts.create(body, {
      idempotencyKey: `coach:${ctx.coachId}:account:${id}:${hashBody(body)}`,
    }),
  )
  // Two clicks may create two accounts: the first one that is stored counts.
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-account-id',
      text: `update stripe_account set account_id = $3, ended_at = null
        where coach_id = $1 and id = $2 and account_id is null`,
      values: [ctx.coachId, id, account.id],
    }),
  )
  return (await findAccount(ctx))?.accountId ?? account.id
}

async function createLink(
  ctx: Ctx,
  { account, origin, isOnboarding }: { account: string; origin: string; isOnboarding: boolean },
): Promise<string> {
  const toUrl = (state: string) => `${origin}${settingsPath}?stripe=${state}${isOnboarding ? '&from=onboarding' : ''}`
  const { url } = await callStripe(ctx.platform.config, (stripe) =>
    stripe.v2.core.accountLinks.create(
      {
        account,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            refresh_url: toUrl('continue'),
            return_url: toUrl('returned'),
          },
        },
      },
      { idempotencyKey: `coach:${ctx.coachId}:link:${randomUUID()}` },
    ),
  )
  return url
}

/**
 * Asks Stripe for the state of the coach's account, and stores it. Throws StripeError; a revoked one ends the
 * connection.
 */
export async function syncAccount(ctx: Ctx): Promise<void> {
  const known = await findAccount(ctx)
  if (!known?.accountId) return
  try {
    const response = await callStripe(ctx.platform.config, (stripe) =>
      stripe.v2.core.accounts.retrieve(known.accountId!, { include: ['configuration.merchant', 'requirements'] }),
    )
    const merchant = MerchantResponse.parse(response)
    if (merchant.closed) return await ctx.write((tx) => endAccount(tx, known.id))
    await ctx.write((tx) => storeState(tx, known.accountId!, merchant))
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.kind === 'revoked') return ctx.write((tx) => endAccount(tx, known.id))
    await recordFailure(ctx, known.accountId, error)
    throw error
  }
}

/** Stores since when Stripe can't be asked about the account, and why, for the coach's settings. `since`: an ISO instant. */
export async function recordFailure(
  ctx: Ctx,
  accountId: string,
  { kind }: StripeError,
  since: string | null = null,
): Promise<void> {
  const code: AccountError = kind === 'busy' || kind === 'down' ? kind : 'refused'
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.store-failure',
      text: `update stripe_account set failing_since = coalesce(failing_since, $5::timestamptz, $3), last_error = $4
        where coach_id = $1 and account_id = $2`,
      values: [ctx.coachId, accountId, ctx.now(), code, since],
    }),
  )
}

async function storeState(
  ctx: WriteCtx,
  accountId: string,
  { cardPayments, needsAction }: { cardPayments: CardPaymentState; needsAction: boolean },
): Promise<void> {
  await ctx.query({
    name: 'stripe.store-state',
    text: `update stripe_account set card_payments = $3, needs_action = $4, synced_at = $5,
        failing_since = null, last_error = null
      where coach_id = $1 and account_id = $2`,
    values: [ctx.coachId, accountId, cardPayments, needsAction, ctx.now()],
  })
}

/** Clients can no longer pay by card. The account stays the coach's, at Stripe. Throws conflict without one. */
export async function disconnect(ctx: WriteCtx): Promise<void> {
  authorize(ctx, 'stripe:account:write')
  const [account] = await ctx.query({
    name: 'stripe.disconnect',
    text: `update stripe_account set disconnected_at = $2
      where coach_id = $1 and account_id is not null and disconnected_at is null returning id`,
    values: [ctx.coachId, ctx.now()],
  })
  if (!account) throw new AppError('conflict', 'Stripe is not connected.')
}

/** The platform may no longer act for the account: nothing of it can be asked for. */
export async function forgetAccount(ctx: WriteCtx, accountId: string): Promise<void> {
  const known = await findAccount(ctx)
  if (known?.accountId === accountId) await endAccount(ctx, known.id)
}

/** Leaves a row that says when Stripe ended the connection, until the coach connects again. */
async function endAccount(ctx: WriteCtx, id: number): Promise<void> {
  await deleteAccount(ctx, id)
  await ctx.query({
    name: 'stripe.mark-ended',
    text: `insert into stripe_account (coach_id, created_at, ended_at) values ($1, $2, $2) on conflict (coach_id) do nothing`,
    values: [ctx.coachId, ctx.now()],
  })
}

/** Whether a payment on its way arrives is never known then: it keeps nobody from paying to another account. */
async function deleteAccount(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'stripe.close-pages-of-account',
    text: `update stripe_checkout set state = 'expired'
      where coach_id = $1 and state in ('open', 'replaced', 'processing')
        and account_id = (select account_id from stripe_account where coach_id = $1 and id = $2)`,
    values: [ctx.coachId, id],
  })
  await ctx.query({
    name: 'stripe.delete-account',
    text: 'delete from stripe_account where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}
