import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'summary'

export const getSummaryPath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, summaryId: number): string =>
  `/summary/${platform.signingKeys.sign(purpose, `${coachId}.${summaryId}`)}`

/** The page of a shared summary on the coach's host, which needs no account; null without a host. */
export function getSummaryUrl(ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, summaryId: number): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}${getSummaryPath(ctx, summaryId)}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readSummaryToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; summaryId: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, summaryId] = (value ?? '').split('.').map(parseId)
  return coachId && summaryId ? { coachId, summaryId } : null
}
