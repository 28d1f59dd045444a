import type { Job, JobData } from '#modules/core/manifest.ts'
import { hasModule } from '#modules/core/switched-off.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import { findConnection, lockConnection } from './queries/connection.ts'
import { forgetEvents, refreshBusyTimes } from './services/events.ts'
import { queues, requestSync } from './services/queue.ts'
import { sendReconnectEmail } from './services/reconnect-email.ts'
import { revoke } from './services/oauth.ts'
import { runSync } from './services/run.ts'

export const jobs: Job[] = [
  { name: queues.write, concurrency: 3, run: (platform, data) => asCoach(platform, data, writeOnly) },
  { name: queues.sync, concurrency: 3, run: (platform, data) => asCoach(platform, data, sync) },
  {
    name: queues.email,
    kind: 'email',
    retryLimit: 40,
    run: (platform, data) => asCoach(platform, data, sendReconnectEmail),
  },
  // About ten hours.
  { name: queues.revoke, keepsData: true, retryLimit: 40, run: revoke },
  { name: 'google.poll', keepsData: true, every: '*/15 * * * *', run: poll },
  { name: 'google.refresh', every: '41 4 * * *', run: refresh },
]

const writeOnly = (ctx: Ctx) => runSync(ctx, { writesOnly: true, onlyIfDue: true })
const sync = (ctx: Ctx) => runSync(ctx, { onlyIfDue: true })

async function asCoach(platform: Platform, { coachId }: JobData, work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  const ctx = await loadCoachContext(platform, Number(coachId), `google-${String(coachId)}`)
  if (ctx) await work(ctx)
}

/**
 * Notifications get lost, and an installation without a public address gets none. A connection whose plan has ended,
 * or whose module is switched off, pauses: what was read last would block time for ever.
 */
export async function poll(platform: Platform): Promise<void> {
  if (!platform.config.google) return
  await forEachConnected(platform, async (ctx) => {
    if (!isActive(ctx)) return ctx.write(pause)
    const connection = await findConnection(ctx)
    if (connection?.state === 'needs_reconnect') return
    if (connection?.nextTryAt && new Date(connection.nextTryAt) > ctx.now()) return
    await ctx.write((tx) => requestSync(tx))
  })
}

/** Moves the days ahead on for which series are known. */
export async function refresh(platform: Platform): Promise<void> {
  await forEachConnected(platform, async (ctx) => {
    if (isActive(ctx)) await ctx.write(refreshBusyTimes)
  })
}

const isActive = (ctx: Ctx): boolean => planIncludes(ctx.plan, 'calendar-sync') && hasModule(ctx, 'google')

async function pause(ctx: WriteCtx): Promise<void> {
  await lockConnection(ctx)
  await forgetEvents(ctx)
}

async function forEachConnected(platform: Platform, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'google')
    if (ctx && (await findConnection(ctx))) await work(ctx)
  })
}
