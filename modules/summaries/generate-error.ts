import type { AppError } from '#app/lib/errors.ts'

/** Links to what is missing when a summary could not be started. */
export function showSummaryError({ code, subject }: AppError, appointmentId: number) {
  if (code === 'plan_required' || (code === 'plan_limit' && subject === 'minutes'))
    return { link: { label: 'See the plans', to: '/upgrade' } }
  if (code === 'unavailable' && subject === 'transcript')
    return { link: { label: 'Add a transcript', to: `/session-summaries/${appointmentId}` } }
  return undefined
}
