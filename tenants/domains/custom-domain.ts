import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { getErrorCode } from '#db/error-mapping.ts'
import { planIncludes } from '../accounts/plans.ts'
import { countAttempt } from '../auth/rate-limit.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import { endDomainSessions, findViewer } from '../auth/sessions.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import type { Device } from '../auth/device.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import type { TenantTransaction } from '../platform.ts'
import { checkHostname } from './hostname.ts'
import type { DomainProblem } from './states.ts'
import { findCustomDomain, maxFailures, type CustomDomainRow } from './queries.ts'
import { verifyDomain } from './verify.ts'

/** Jobs with a coach's id: `check` asks DNS, `email` tells that the domain has stopped. */
export const domainQueues = { check: 'platform.check-domain', email: 'mail.domain-stopped' }

const uniqueViolation = '23505'
const minute = 60_000
/** After the first checks of a new domain; then every hour, for a week. */
const firstPauses = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute)
const [hourMs, weekMs] = [60 * minute, 7 * dayMs]

/** Throws plan_required below Premium. */
export function requireDomainPlan({ plan }: Pick<Ctx, 'plan'>): void {
  if (!planIncludes(plan, 'custom-domain'))
    throw new AppError('plan_required', 'A domain of your own is part of the Premium plan.')
}

export const noDomain = (): AppError => new AppError('not_found', 'You have no domain of your own.')

/**
 * Stores the domain that a coach wants to use, with a new token to prove it with, and checks it as soon as possible.
 * Another one stops at once. Throws plan_required; validation_failed for a wrong password and a name that can't be
 * theirs; conflict without a subdomain and for a domain that another practice has proved.
 */
export async function setCustomDomain(
  ctx: WriteCtx,
  { hostname, currentPassword }: { hostname: string; currentPassword: string },
  device: Device,
): Promise<void> {
  requireDomainPlan(ctx)
  await checkHostname(ctx.platform.config, hostname)
  await confirmPassword(ctx, currentPassword)
  const { subdomain } = await lockAccount(ctx)
  if (!subdomain)
    throw new AppError('conflict', 'Choose a web address on the Branding page first: your domain leads to it.')
  const { platform } = ctx
  const rules = [{ key: `domain-add:${ctx.coachId}`, attempts: 20, minutes: 60 }]
  await countAttempt(platform, { rules, account: ctx.coachId, address: ctx.address })
  const { tenant } = await findViewer(platform, undefined, hostname)
  if (tenant && tenant.id !== ctx.coachId)
    throw new AppError('conflict', 'Another practice uses this domain', { field: 'hostname' })
  const former = await findCustomDomain(ctx)
  if (former?.hostname === hostname) return
  if (former) await removeCustomDomain(ctx, device)
  const now = ctx.now()
  await ctx.query({
    name: 'domain.insert',
    text: `insert into custom_domain (coach_id, hostname, token, next_check_at, created_at)
      values ($1, $2, $3, $4, $4)`,
    values: [ctx.coachId, hostname, randomBytes(16).toString('hex'), now],
  })
  await ctx.enqueue(domainQueues.check, { coachId: ctx.coachId, at: now.getTime() })
  await recordSecurityEvent(ctx, ctx.coachId, { kind: 'domain_added', device, now, details: { name: hostname } })
}

/** The domain stops at once, and sessions at it end. Throws not_found without one. */
export async function removeCustomDomain(ctx: WriteCtx, device: Device): Promise<void> {
  await lockAccount(ctx)
  const domain = await findCustomDomain(ctx)
  if (!domain) throw noDomain()
  await setLiveDomain(ctx, null)
  await ctx.query({
    name: 'domain.delete',
    text: 'delete from custom_domain where coach_id = $1',
    values: [ctx.coachId],
  })
  const details = { name: domain.hostname }
  await recordSecurityEvent(ctx, ctx.coachId, { kind: 'domain_removed', device, now: ctx.now(), details })
}

/** Plans a check of a domain that was released when its coach was removed, once they are back. */
export async function resumeDomainChecks(tx: TenantTransaction, coachId: number, now: Date): Promise<void> {
  const planned = await tx.query({
    name: 'domain.resume',
    text: `update custom_domain set next_check_at = $2
      where coach_id = $1 and verified_at is null and next_check_at is null returning id`,
    values: [coachId, now],
  })
  if (planned.length) await tx.enqueue(domainQueues.check, { coachId, at: now.getTime() })
}

/** Asks DNS now, for the coach who waits. Throws plan_required, not_found, rate_limited. */
export async function checkDomainNow(ctx: Ctx): Promise<CustomDomainRow> {
  requireDomainPlan(ctx)
  if (!(await findCustomDomain(ctx))) throw noDomain()
  const rules = [{ key: `domain-check:${ctx.coachId}`, attempts: 30, minutes: 10 }]
  await countAttempt(ctx.platform, { rules, account: ctx.coachId, address: ctx.address })
  await checkDomain(ctx)
  const domain = await findCustomDomain(ctx)
  if (!domain) throw noDomain()
  return domain
}

/**
 * Asks DNS about the coach's domain and stores the result, which connects or stops it, with the time of the next check.
 * No transaction is open while it asks.
 */
export async function checkDomain(ctx: Ctx): Promise<void> {
  const domain = await findCustomDomain(ctx)
  if (!domain) return
  const { platform } = ctx
  const problem = await verifyDomain(platform.dns, platform.config, domain)
  try {
    await ctx.write((tx) => storeResult(tx, domain, problem))
  } catch (error) {
    // Another practice has proved it: the unique key has waited for their transaction.
    if (getErrorCode(error) !== uniqueViolation) throw error
    await ctx.write((tx) => storeResult(tx, domain, 'taken'))
  }
}

async function storeResult(ctx: WriteCtx, checked: CustomDomainRow, problem: DomainProblem | null): Promise<void> {
  await lockAccount(ctx)
  const domain = await findCustomDomain(ctx)
  // It was removed in the meantime, and perhaps added again.
  if (!domain || domain.id !== checked.id) return
  // Another check has ended since this one began: what that one proved stays.
  if (problem !== null && domain.checkedAt !== checked.checkedAt) return
  const failures = countFailures(domain, problem)
  const isLive = problem === null || (domain.verifiedAt !== null && failures < maxFailures)
  const now = ctx.now()
  const nextCheckAt = planNextCheck(domain, { isLive, problem, now })
  await setLiveDomain(ctx, isLive ? domain.hostname : null)
  await ctx.query({
    name: 'domain.store-result',
    text: `update custom_domain set verified_at = case when $3 then coalesce(verified_at, $5) end, problem = $4,
      failures = $6, checked_at = $5, next_check_at = $7 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, domain.id, isLive, problem, now, failures, nextCheckAt],
  })
  if (domain.verifiedAt && !isLive) await ctx.enqueue(domainQueues.email, { coachId: ctx.coachId, id: domain.id })
  if (!nextCheckAt) return
  const startAfter = Math.ceil((nextCheckAt.getTime() - now.getTime()) / 1000)
  await ctx.enqueue(domainQueues.check, { coachId: ctx.coachId, at: nextCheckAt.getTime() }, { startAfter })
}

/** DNS that doesn't answer proves nothing either way. */
function countFailures({ verifiedAt, failures }: CustomDomainRow, problem: DomainProblem | null): number {
  if (problem === null) return 0
  if (problem === 'no_answer' || !verifiedAt) return failures
  return failures + 1
}

/** Once a day while all is well. Null when nothing has happened for a week. */
function planNextCheck(
  { createdAt, verifiedAt, checkedAt }: CustomDomainRow,
  { isLive, problem, now }: { isLive: boolean; problem: DomainProblem | null; now: Date },
): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (isLive) return after(problem === 'no_answer' ? hourMs : dayMs)
  // It has just stopped: the coach gets an email, and asks for the next check.
  if (verifiedAt) return null
  const age = now.getTime() - Date.parse(createdAt)
  if (age >= weekMs) return null
  const lastPause = checkedAt ? now.getTime() - Date.parse(checkedAt) : 0
  return after(firstPauses.find((pause) => pause > lastPause) ?? hourMs)
}

/** The account's row: changes of its hosts wait for each other. */
async function lockAccount(ctx: WriteCtx): Promise<{ subdomain: string | null }> {
  const [account] = await ctx.query<{ subdomain: string | null }>({
    name: 'domain.lock-account',
    text: 'select subdomain from account where id = $1 for update',
    values: [ctx.coachId],
  })
  return account!
}

/** Null: the domain stops, and the sessions at it end. */
async function setLiveDomain(ctx: WriteCtx, hostname: string | null): Promise<void> {
  if (hostname === null) await endDomainSessions(ctx.platform, ctx, ctx.coachId)
  await ctx.query({
    name: 'domain.set-live',
    text: `update account set custom_domain = $2, updated_at = $3
      where id = $1 and custom_domain is distinct from $2`,
    values: [ctx.coachId, hostname, ctx.now()],
  })
}
