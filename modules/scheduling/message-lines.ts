import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { SimulatedMessage } from './messages/simulate.ts'

const states = { sent: 'Sent', sending: 'Being sent', 'in-doubt': 'May not have been sent', planned: 'Goes out' }

/** A message as a line on screen, in the coach's time zone. */
export function toMessageLine(ctx: Ctx, { id, label, state, at, why }: SimulatedMessage) {
  const when = at && formatDateTime(at, ctx.account)
  return {
    id: state === 'in-doubt' ? id : null,
    label,
    state,
    status: state === 'left-out' ? 'Not sent' : `${states[state]}${when ? ` ${when}` : ''}`,
    why,
  }
}
export type MessageLine = ReturnType<typeof toMessageLine>
