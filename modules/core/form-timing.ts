import type { Platform } from '#tenants/platform.ts'

type Signer = Pick<Platform, 'signingKeys'>

/** Nobody fills a form in faster. */
const minFillMs = 2_000
const maxFillMs = 24 * 3_600_000

/** For a form of visitors: says when it was opened, by which programs that send at once are refused. */
export const signOpening = (
  { signingKeys }: Signer,
  { purpose, coachId, now }: { purpose: string; coachId: number; now: Date },
): string => signingKeys.sign(purpose, `${coachId} ${now.getTime()}`)

/** Whether a form was opened long enough ago for a person, and within a day. */
export function isTimely(
  { signingKeys }: Signer,
  { purpose, coachId, now, signed }: { purpose: string; coachId: number; now: Date; signed: string },
): boolean {
  const [coach, openedAt] = (signingKeys.verify(purpose, signed) ?? '').split(' ')
  const age = now.getTime() - Number(openedAt)
  return coach === String(coachId) && age >= minFillMs && age <= maxFillMs
}
