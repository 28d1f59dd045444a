import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '../context.ts'
import type { DomainProblem, DomainState } from './states.ts'

export type CustomDomainRow = {
  id: number
  hostname: string
  token: string
  verifiedAt: string | null
  problem: DomainProblem | null
  failures: number
  checkedAt: string | null
  nextCheckAt: string | null
  createdAt: string
}

/** The coach's domain in whatever state; null without one. */
export async function findCustomDomain(ctx: Pick<Ctx, 'query' | 'coachId'>): Promise<CustomDomainRow | null> {
  const [row] = await ctx.query<CustomDomainRow>({
    name: 'domain.find',
    text: `select id, hostname, token, ${isoTimestamp('verified_at')} as "verifiedAt", problem, failures,
      ${isoTimestamp('checked_at')} as "checkedAt", ${isoTimestamp('next_check_at')} as "nextCheckAt",
      ${isoTimestamp('created_at')} as "createdAt" from custom_domain where coach_id = $1`,
    values: [ctx.coachId],
  })
  return row ?? null
}

/** After so many checks in a row that found a connected domain unproved, it stops. */
export const maxFailures = 3

export function getDomainState({ verifiedAt, failures, problem }: CustomDomainRow): DomainState {
  if (verifiedAt) return problem && problem !== 'no_answer' ? 'failing' : 'connected'
  return failures >= maxFailures ? 'stopped' : 'waiting'
}
