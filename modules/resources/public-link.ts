import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { readIds, signIds, toCoachUrl } from '#tenants/signed-link.ts'

const purpose = 'share'

/** Signed, so that the coach can copy it again. `clientId` null: for anyone. */
export const getSharePath = (
  { platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>,
  shareId: number,
  clientId: number | null,
): string => `/shared/${signIds(platform, purpose, [coachId, shareId, clientId ?? 0])}`

/** The page of a share on the coach's host, which needs no account; null without a host. */
export const getShareUrl = (
  ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>,
  shareId: number,
  clientId: number | null,
): string | null => toCoachUrl(ctx, getSharePath(ctx, shareId, clientId))

/** Null for a forged token. `openLink` checks whether the link is for this host. */
export function readShareToken(
  signer: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; shareId: number; clientId: number | null } | null {
  const [coachId, shareId, clientId] = readIds(signer, purpose, token)
  return coachId && shareId ? { coachId, shareId, clientId: clientId || null } : null
}
