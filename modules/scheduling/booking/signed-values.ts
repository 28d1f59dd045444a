import { parseId } from '#app/lib/url.ts'
import { isTimely, signOpening } from '#modules/core/form-timing.ts'
import type { Platform } from '#tenants/platform.ts'

type Signer = Pick<Platform, 'signingKeys'>

const formPurpose = 'booking-form'
const confirmationPurpose = 'booking-confirmation'

/** Says when the form of a practice was opened. */
export const signForm = (signer: Signer, coachId: number, now: Date): string =>
  signOpening(signer, { purpose: formPurpose, coachId, now })

/** Whether a form was opened long enough ago for a person, and within a day. */
export const isFormTimely = (signer: Signer, coachId: number, now: Date, signed: string): boolean =>
  isTimely(signer, { purpose: formPurpose, coachId, now, signed })

/** The address of a confirmation, which shows no name. */
export const signConfirmation = ({ signingKeys }: Signer, coachId: number, appointmentId: number): string =>
  signingKeys.sign(confirmationPurpose, `${coachId} ${appointmentId}`)

/** The appointment of a confirmation of this practice; null if the signature is invalid. */
export function readConfirmation({ signingKeys }: Signer, coachId: number, signed: string): number | null {
  const [coach, id] = (signingKeys.verify(confirmationPurpose, signed) ?? '').split(' ')
  return coach === String(coachId) ? parseId(id) || null : null
}
