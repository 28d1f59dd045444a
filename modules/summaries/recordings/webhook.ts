import { parseId } from '#app/lib/url.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { requestResult } from './queue.ts'

const purpose = 'revai'
const scheme = 'Bearer '

/** Rev.ai signs nothing: it sends this header back. */
export const signWebhook = (
  { signingKeys }: Pick<Platform, 'signingKeys'>,
  { coachId, id }: { coachId: number; id: number },
): string => `${scheme}${signingKeys.sign(purpose, `${coachId}.${id}`)}`

/** Looks for the result of the recording that the header names. The body decides nothing. Returns false for a forged one. */
export async function receiveWebhook(platform: Platform, authorization: string | null): Promise<boolean> {
  const token = authorization?.startsWith(scheme) ? authorization.slice(scheme.length) : ''
  const value = token && token.length <= 200 ? platform.signingKeys.verify(purpose, token) : null
  const [coachId, recordingId] = (value ?? '').split('.').map(parseId)
  if (!coachId || !recordingId) return false
  await withTenant(platform, coachId, (tx) => requestResult({ ...tx, coachId }, recordingId))
  return true
}
