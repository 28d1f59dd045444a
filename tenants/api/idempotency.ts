import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '../context.ts'

const keyHours = 24

export type StoredResult = { status: number; body: string | null }

/**
 * Runs `work` once for each key and day, in the open transaction: a repeat gets the stored result. A concurrent repeat
 * waits for the first one. Throws validation_failed if the key was used for another request.
 */
export async function runOnce<Result extends StoredResult>(
  ctx: WriteCtx,
  { key, requestHash }: { key: string; requestHash: Buffer },
  work: () => Promise<Result>,
): Promise<Result | StoredResult> {
  const now = ctx.now()
  const inserted = await ctx.query({
    name: 'idempotency-key.insert',
    text: `insert into idempotency_key (coach_id, key, request_hash, created_at) values ($1, $2, $3, $4)
      on conflict (coach_id, key) do update
        set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
        where idempotency_key.created_at <= $5
      returning key`,
    values: [ctx.coachId, key, requestHash, now, new Date(now.getTime() - keyHours * 3_600_000)],
  })
  if (!inserted.length) {
    const [stored] = await ctx.query<StoredResult & { requestHash: Buffer }>({
      name: 'idempotency-key.get',
      text: `select request_hash as "requestHash", status, body from idempotency_key where coach_id = $1 and key = $2`,
      values: [ctx.coachId, key],
    })
    if (!stored?.requestHash.equals(requestHash)) {
      throw new AppError('validation_failed', 'This Idempotency-Key was used for another request.', {
        field: 'Idempotency-Key',
      })
    }
    return { status: stored.status, body: stored.body }
  }
  const result = await work()
  await ctx.defer({
    name: 'idempotency-key.complete',
    text: 'update idempotency_key set status = $3, body = $4 where coach_id = $1 and key = $2',
    values: [ctx.coachId, key, result.status, result.body],
  })
  return result
}
