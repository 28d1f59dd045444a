import { defineHook } from '#modules/core/hooks.ts'

/**
 * Run before sessions get another client or prospect: a module that keeps what is the present one's throws conflict.
 * `isSamePerson`: a client becomes the prospect again.
 */
export const assertAttendeeChange = defineHook<{ appointmentIds: number[]; isSamePerson: boolean }>(
  'scheduling.assert-attendee-change',
  { keepsData: true },
)

/** Run in the transaction in which a session is completed, after its change. */
export const followCompletion = defineHook<{ appointmentId: number }>('scheduling.follow-completion')
