import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { getCustomDomain, subdomainOrigin } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { insertRow } from '../insert-row.ts'
import { decryptFor, encryptFor } from './tokens.ts'

const attemptMs = 10 * 60_000
/** The most open attempts of a coach. */
const maxAttempts = 10

/** The attempts of coaches who were sent to the vendor and have not come back. `name` begins the table's name. */
export function connectAttempts(name: string) {
  /** Stores an attempt for ten minutes and returns its `state`. `details` are further columns. */
  async function addAttempt(ctx: Ctx, codeVerifier: string, details: Record<string, unknown> = {}): Promise<string> {
    const { token, tokenHash } = createToken()
    await ctx.write(async (tx) => {
      await deleteOldAttempts(tx)
      await insertRow(tx, {
        table: `${name}_connect_attempt`,
        name: `${name}.add-attempt`,
        row: {
          stateHash: tokenHash,
          codeVerifier: encryptFor(ctx, name, 'code_verifier', codeVerifier),
          expiresAt: new Date(ctx.now().getTime() + attemptMs),
          ...details,
        },
      })
    })
    return `${ctx.coachId}-${token}`
  }

  async function deleteOldAttempts(ctx: WriteCtx): Promise<void> {
    await ctx.query({
      name: `${name}.delete-attempts`,
      text: `delete from ${name}_connect_attempt where coach_id = $1 and (expires_at <= $2 or id <= coalesce((
        select a.id from ${name}_connect_attempt a where a.coach_id = $1 order by a.id desc offset $3 limit 1), 0))`,
      values: [ctx.coachId, ctx.now(), maxAttempts - 1],
    })
  }

  /**
   * The origin of the subdomain of the coach who began. Null for a state that is not open, and for a coach without a
   * subdomain or with a domain of their own: a code must not leave the platform's hosts, and links to the subdomain
   * lead to the domain.
   */
  async function findStateOrigin(platform: Platform, state: string): Promise<string | null> {
    const [, id, token] = /^([1-9]\d{0,14})-([\w-]{43})$/.exec(state) ?? []
    const ctx = id && token ? await loadCoachContext(platform, Number(id), name) : null
    if (!ctx) return null
    const [attempt] = await ctx.query({
      name: `${name}.find-attempt`,
      text: `select id from ${name}_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3`,
      values: [ctx.coachId, hashToken(token!), ctx.now()],
    })
    const { subdomain } = ctx.account
    if (!attempt || !subdomain || getCustomDomain(ctx.account)) return null
    return subdomainOrigin(platform.config, subdomain)
  }

  /**
   * Ends the attempt: a state works once. Returns the further columns of `returning`, and the code verifier, which is
   * null if no key of this installation can read it; null for a state that is not open.
   */
  async function takeAttempt<Details extends object = object>(
    ctx: Ctx,
    state: string,
    returning: string[] = [],
  ): Promise<(Details & { codeVerifier: string | null }) | null> {
    const [attempt] = await ctx.write((tx) =>
      tx.query<Details & { codeVerifier: string }>({
        name: `${name}.take-attempt`,
        text: `delete from ${name}_connect_attempt where coach_id = $1 and state_hash = $2 and expires_at > $3
          returning ${['code_verifier as "codeVerifier"', ...returning].join(', ')}`,
        values: [ctx.coachId, hashToken(state.slice(state.indexOf('-') + 1)), ctx.now()],
      }),
    )
    if (!attempt) return null
    return { ...attempt, codeVerifier: decryptFor(ctx, name, 'code_verifier', attempt.codeVerifier) }
  }

  return { addAttempt, findStateOrigin, takeAttempt }
}

/** Whether a state is that of an attempt of this coach. */
export const isOwnState = (state: string, coachId: number | undefined): boolean =>
  coachId !== undefined && state.startsWith(`${coachId}-`)
