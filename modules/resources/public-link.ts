import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'share'

type Owner = Pick<Ctx, 'platform' | 'coachId' | 'account'>

/** Signed, so that the coach can copy it again. `clientId` null: for anyone. */
export const getSharePath = (
  { platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>,
  shareId: number,
  clientId: number | null,
): string => `/shared/${platform.signingKeys.sign(purpose, `${coachId}.${shareId}.${clientId ?? 0}`)}`

/** The page of a share on the coach's host, which needs no account; null without a host. */
export function getShareUrl(ctx: Owner, shareId: number, clientId: number | null): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}${getSharePath(ctx, shareId, clientId)}`
}

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readShareToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; shareId: number; clientId: number | null } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const found = /^([1-9]\d*)\.([1-9]\d*)\.(\d+)$/.exec(value ?? '')
  return found ? { coachId: Number(found[1]), shareId: Number(found[2]), clientId: Number(found[3]) || null } : null
}
