import type { TenantTransaction } from '../platform.ts'
import type { PlanName } from './plans.ts'

// Columns of the transaction's own account that the serving role changes through functions of the database only.

/** Ends no session: the caller decides which ones. With `formerHash` only if the password is still that one. */
export async function setPassword(
  tx: TenantTransaction,
  passwordHash: string,
  now: Date,
  formerHash: string | null = null,
): Promise<void> {
  await tx.query({
    name: 'account.set-password',
    text: 'select set_password($1, $2, $3)',
    values: [passwordHash, now, formerHash],
  })
}

/** Sets the plan and ends a running trial. The database refuses it unless an administrator makes the change. */
export async function setPlan(tx: TenantTransaction, plan: PlanName, now: Date): Promise<void> {
  await tx.query({ name: 'account.set-plan', text: 'select set_plan($1, $2)', values: [plan, now] })
}

/** Returns whether the trial has started: once for an account, on the free plan. */
export async function setTrialEnd(tx: TenantTransaction, endsAt: Date, now: Date): Promise<boolean> {
  const [row] = await tx.query<{ isStarted: boolean }>({
    name: 'account.start-trial',
    text: 'select start_trial($1, $2) as "isStarted"',
    values: [endsAt, now],
  })
  return row!.isStarted
}

/**
 * Sets the plan that is paid for, and since when its payment fails. The database refuses it in a transaction of a
 * coach: only a job may.
 */
export async function setPaidPlan(
  tx: TenantTransaction,
  { plan, failedAt, now }: { plan: PlanName; failedAt: Date | null; now: Date },
): Promise<void> {
  await tx.query({
    name: 'account.set-paid-plan',
    text: 'select set_paid_plan($1, $2, $3)',
    values: [plan, failedAt, now],
  })
}
