import { parseId } from '#app/lib/url.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'manage-booking'

/** The page where the attendee changes or cancels the appointment, on the coach's host; null without a host. */
export function getManageUrl(ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, appointmentId: number): string | null {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  return origin && `${origin}${getManagePath(ctx, appointmentId)}`
}

export const getManagePath = (
  { platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>,
  appointmentId: number,
): string => `/booking/${platform.signingKeys.sign(purpose, `${coachId}.${appointmentId}`)}`

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readManageToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; appointmentId: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, appointmentId] = (value ?? '').split('.').map(parseId)
  return coachId && appointmentId ? { coachId, appointmentId } : null
}
