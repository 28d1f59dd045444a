import { parseId } from '#app/lib/url.ts'
import type { Platform } from '#tenants/platform.ts'

type Signer = Pick<Platform, 'signingKeys'>

const formPurpose = 'booking-form'
const confirmationPurpose = 'booking-confirmation'
/** Nobody fills the form in faster. */
const minFillMs = 2_000
const maxFillMs = 24 * 3_600_000

/** Says when the form of a practice was opened. */
export const signForm = ({ signingKeys }: Signer, coachId: number, now: Date): string =>
  signingKeys.sign(formPurpose, `${coachId} ${now.getTime()}`)

/** Whether a form was opened long enough ago for a person, and within a day. */
export function isFormTimely({ signingKeys }: Signer, coachId: number, now: Date, signed: string): boolean {
  const [coach, openedAt] = (signingKeys.verify(formPurpose, signed) ?? '').split(' ')
  const age = now.getTime() - Number(openedAt)
  return coach === String(coachId) && age >= minFillMs && age <= maxFillMs
}

/** The address of a confirmation, which shows no name. */
export const signConfirmation = ({ signingKeys }: Signer, coachId: number, appointmentId: number): string =>
  signingKeys.sign(confirmationPurpose, `${coachId} ${appointmentId}`)

/** The appointment of a confirmation of this practice; null if the signature is invalid. */
export function readConfirmation({ signingKeys }: Signer, coachId: number, signed: string): number | null {
  const [coach, id] = (signingKeys.verify(confirmationPurpose, signed) ?? '').split(' ')
  return coach === String(coachId) ? parseId(id) || null : null
}
