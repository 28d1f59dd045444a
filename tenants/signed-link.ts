import { parseId } from '#app/lib/url.ts'
import { tokenRules } from './auth/account-limits.ts'
import { countAttempt } from './auth/rate-limit.ts'
import { coachOrigin } from './config.ts'
import type { Ctx } from './context.ts'
import type { Platform } from './platform.ts'

type Signer = Pick<Platform, 'signingKeys'>
type Owner = Pick<Ctx, 'platform' | 'coachId'>
export type LinkedRecord = { coachId: number; id: number }

/** The most characters of a token that are worth a signature check. */
const maxLength = 200

export const signIds = ({ signingKeys }: Signer, purpose: string, ids: number[]): string =>
  signingKeys.sign(purpose, ids.join('.'))

/** The ids that were signed for `purpose`, with 0 for what is no id; none for a forged token. */
export function readIds({ signingKeys }: Signer, purpose: string, token: string): number[] {
  const value = token.length <= maxLength ? signingKeys.verify(purpose, token) : null
  return value === null ? [] : value.split('.').map(parseId)
}

/**
 * A page of a record for people without an account. Its address ends in a token with the ids of the coach and the
 * record: signed and not stored, so that the coach can copy it again.
 */
export function signedLink(purpose: string, path: string) {
  const getPath = ({ platform, coachId }: Owner, id: number): string =>
    `${path}${signIds(platform, purpose, [coachId, id])}`
  return {
    getPath,
    /** The address on the coach's host; null without a host. */
    getUrl: (ctx: Owner & Host, id: number): string | null => toCoachUrl(ctx, getPath(ctx, id)),
    /** Null for a forged token. `openLink` checks whether the link is for this host. */
    read(signer: Signer, token: string): LinkedRecord | null {
      const [coachId, id] = readIds(signer, purpose, token)
      return coachId && id ? { coachId, id } : null
    },
  }
}

type Host = Pick<Ctx, 'platform' | 'account'>

/**
 * The address of a page on the coach's host for the person who has the link; null without a host. Also null on a visit of
 * support: anyone who opens the link acts as that person, outside of the visit.
 */
export const toCoachUrl = (ctx: Host, path: string): string | null =>
  ctx.platform.isReadOnly ? null : toPublicUrl(ctx, path)

/** The address of a page on the coach's host that anyone may open; null without a host. */
export function toPublicUrl({ platform, account }: Host, path: string): string | null {
  const origin = coachOrigin(platform.config, account)
  return origin && `${origin}${path}`
}

type Visit = { requestContext: { platform: Platform; address: string }; tenant: { id: number } | null }

/** The link if it is one of this host's coach. Null for any other, which is counted, so that nobody can try many. */
export async function openLink<L extends { coachId: number }>(
  { requestContext, tenant }: Visit,
  link: L | null,
): Promise<L | null> {
  if (link && link.coachId === tenant?.id) return link
  const { platform, address } = requestContext
  await countAttempt(platform, { rules: tokenRules(address), address })
  return null
}
