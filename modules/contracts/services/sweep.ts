import { dayMs } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import { contractExpired } from '../events.ts'
import { clientIdsInTrash } from '#modules/crm/index.ts'
import { closeContract, enqueueEmail } from './sending.ts'
import { addTrailEntry } from './trail.ts'

/** A client who hasn't signed is reminded once, so many days before the end. */
const reminderDays = 3

/** Ends the contracts that have expired, and reminds clients of those that are going to. Repeated runs change nothing. */
export async function sweepContracts(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'contracts')
    if (!ctx || !(await hasWork(ctx))) return
    await ctx.write(async (tx) => {
      await expire(tx)
      await remind(tx)
    })
  })
}

type Reader = Pick<WriteCtx, 'coachId' | 'query' | 'now'>

const reminderEnd = ({ now }: Reader) => new Date(now().getTime() + reminderDays * dayMs)

async function hasWork(ctx: Reader): Promise<boolean> {
  const found = await ctx.query({
    name: 'contracts.has-due',
    text: `select 1 from contract where coach_id = $1 and state = 'open' and expires_at <= $2 limit 1`,
    values: [ctx.coachId, reminderEnd(ctx)],
  })
  return found.length > 0
}

async function expire(ctx: WriteCtx): Promise<void> {
  const ended = await ctx.query<{ id: number }>({
    name: 'contracts.expired',
    text: `select id from contract where coach_id = $1 and state = 'open' and expires_at <= $2 order by id for update`,
    values: [ctx.coachId, ctx.now()],
  })
  for (const { id } of ended) {
    await closeContract(ctx, id, 'expired')
    await addTrailEntry(ctx, id, { kind: 'expired', party: null })
    await publish(ctx, contractExpired, { contractId: id })
  }
}

/** Only those that were emailed, a day ago or more: a coach who copies links asks by themselves. */
async function remind(ctx: WriteCtx): Promise<void> {
  const due = await ctx.query<{ id: number }>({
    name: 'contracts.remind',
    text: `update contract set reminded_at = $2, updated_at = $2
      where coach_id = $1 and state = 'open' and expires_at <= $3 and reminded_at is null and client_signed_at is null
        and emailed_at < $4 and client_id not in (${clientIdsInTrash})
      returning id`,
    values: [ctx.coachId, ctx.now(), reminderEnd(ctx), new Date(ctx.now().getTime() - dayMs)],
  })
  for (const { id } of due) {
    await addTrailEntry(ctx, id, { kind: 'reminded', party: null })
    await enqueueEmail(ctx, { contractId: id, kind: 'reminder' })
  }
}
