import { parseId } from '#app/lib/url.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'

const purpose = 'paid-booking'

/** The page where a visitor pays for a slot, on the coach's host. Signed, since there is no session to belong to. */
export const getPaidBookingPath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, id: number): string =>
  `/book/payment/${platform.signingKeys.sign(purpose, `${coachId}.${id}`)}`

/** Null for a forged token. Whether the link is for this host is for the caller to decide. */
export function readPaidBookingToken(
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  token: string,
): { coachId: number; id: number } | null {
  const value = token.length <= 200 ? signingKeys.verify(purpose, token) : null
  const [coachId, id] = (value ?? '').split('.').map(parseId)
  return coachId && id ? { coachId, id } : null
}
