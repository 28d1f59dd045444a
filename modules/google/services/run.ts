import { randomUUID } from 'node:crypto'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { GoogleError } from '../vendor/errors.ts'
import { findConnection } from '../queries/connection.ts'
import { deleteCalendar, fetchCalendars, listCalendars, storeCalendars, type CalendarRow } from './calendars.ts'
import { recordFailure, recordSuccess } from './oauth.ts'
import { requestSync } from './queue.ts'
import { readCalendar } from './read.ts'
import { callCalendar } from './call.ts'
import { renewChannels } from './watch.ts'
import { writeChanges } from './write.ts'

/** A process that has changed nothing for as long, such as a killed one, is no longer waited for. */
const claimMinutes = 5

type Options = { writesOnly: boolean; onlyIfDue: boolean }

/**
 * Writes what changed here and, unless `writesOnly`, reads what changed in Google. Returns the failure, which is
 * already recorded; null if all went well or another process does it. A connection has one worker at a time.
 * `onlyIfDue`: while Google is away it waits for the next try, as jobs do; a person doesn't.
 */
export async function runSync(
  ctx: Ctx,
  { writesOnly = false, onlyIfDue = false }: Partial<Options> = {},
): Promise<GoogleError | null> {
  authorize(ctx, 'google:connection:write')
  if (!ctx.platform.config.google || !planIncludes(ctx.plan, 'calendar-sync')) return null
  const token = await ctx.write((tx) => claim(tx, { writesOnly, onlyIfDue }))
  if (!token) return null
  const own = withClaim(ctx, token)
  let failure: GoogleError | null = null
  try {
    do {
      failure = await runOnce(own, { writesOnly })
    } while (!(await own.write((tx) => release(tx, { force: failure !== null }))))
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    return null
  }
  return failure
}

/** Another process does the work now, or the connection has ended. */
class LeaseLostError extends Error {}

/**
 * Extends the claim with each change. Changes throw LeaseLostError without it: what a slow process has read may be out of
 * date.
 */
function withClaim(ctx: Ctx, token: string): Ctx {
  return {
    ...ctx,
    write: (work) =>
      ctx.write(async (tx) => {
        const until = new Date(tx.now().getTime() + claimMinutes * 60_000)
        const [held] = await tx.query({
          name: 'google.extend-claim',
          text: 'update google_connection set claimed_until = $3 where coach_id = $1 and claim = $2 returning id',
          values: [ctx.coachId, token, until],
        })
        if (!held) throw new LeaseLostError()
        return work(tx)
      }),
  }
}

async function runOnce(ctx: Ctx, { writesOnly }: { writesOnly: boolean }): Promise<GoogleError | null> {
  try {
    const connection = await findConnection(ctx)
    if (!connection) return null
    if (!writesOnly) await refreshCalendars(ctx, connection.id)
    const calendars = await listCalendars(ctx)
    const failures = await writeChanges(ctx, { calendars, addsMeetLinks: connection.addsMeetLinks })
    if (writesOnly && !failures.length) return null
    for (const calendar of writesOnly ? [] : calendars.filter(({ blocks, isTarget }) => blocks || isTarget))
      await readCalendar(ctx, calendar).catch((error) => noteUnlessDeleted(ctx, calendar, error, failures))
    if (failures[0]) throw failures[0]
    await renewChannels(ctx, calendars)
    await ctx.write(recordSuccess)
    return null
  } catch (error) {
    if (!(error instanceof GoogleError)) {
      if (!(error instanceof LeaseLostError)) await ctx.write((tx) => release(tx, { force: true }))
      throw error
    }
    await recordFailure(ctx, error)
    return error
  }
}

async function refreshCalendars(ctx: Ctx, connectionId: number): Promise<void> {
  const listed = await callCalendar(ctx, fetchCalendars)
  await ctx.write((tx) => storeCalendars(tx, connectionId, listed))
}

/** A calendar that was deleted or is no longer shared doesn't keep the others from being read. */
async function noteUnlessDeleted(
  ctx: Ctx,
  { id }: CalendarRow,
  error: unknown,
  failures: GoogleError[],
): Promise<void> {
  if (!(error instanceof GoogleError)) throw error
  if (error.kind === 'not_found') await ctx.write((tx) => deleteCalendar(tx, id))
  else if (error.kind === 'refused') failures.push(error)
  else throw error
}

/**
 * Returns the token of the claim; null if another process has it. A sync that meets another one asks it for one more:
 * the other may have read the calendars already.
 */
async function claim(ctx: WriteCtx, { writesOnly, onlyIfDue }: Options): Promise<string | null> {
  const now = ctx.now()
  const [connection] = await ctx.query<{ isClaimed: boolean; isDue: boolean }>({
    name: 'google.lock-for-claim',
    text: `select coalesce(claimed_until > $2, false) as "isClaimed",
        not is_away or coalesce(next_try_at <= $2, true) as "isDue"
      from google_connection where coach_id = $1 and state <> 'needs_reconnect' for update`,
    values: [ctx.coachId, now],
  })
  if (!connection) return null
  if (connection.isClaimed) {
    if (!writesOnly)
      await ctx.query({
        name: 'google.ask-for-sync',
        text: 'update google_connection set sync_requested_at = $2 where coach_id = $1',
        values: [ctx.coachId, now],
      })
    return null
  }
  if (onlyIfDue && !connection.isDue) return null
  const token = randomUUID()
  await ctx.query({
    name: 'google.claim',
    text: 'update google_connection set claim = $2, claimed_until = $3 where coach_id = $1',
    values: [ctx.coachId, token, new Date(now.getTime() + claimMinutes * 60_000)],
  })
  return token
}

/**
 * False if something has changed in the meantime: its own job saw that this one is running. A sync that was asked for
 * follows.
 */
async function release(ctx: WriteCtx, { force }: { force: boolean }): Promise<boolean> {
  const [released] = await ctx.query<{ isRequested: boolean }>({
    name: 'google.release',
    text: `update google_connection set claim = null, claimed_until = null
      where coach_id = $1 and ($2 or not exists (
        select 1 from google_link l where l.coach_id = $1 and l.changes > l.written_changes))
      returning sync_requested_at is not null as "isRequested"`,
    values: [ctx.coachId, force],
  })
  if (released?.isRequested) {
    await ctx.query({
      name: 'google.take-request',
      text: 'update google_connection set sync_requested_at = null where coach_id = $1',
      values: [ctx.coachId],
    })
    await requestSync(ctx)
  }
  return released !== undefined
}
