import type { Fields } from '#app/lib/fields.ts'

export const endpointFields = {
  url: { kind: 'line', label: 'Address', required: 'Enter an address', max: 2000 },
  events: { kind: 'line', label: 'Events', optional: true },
} as const satisfies Fields

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The event of a test, which belongs to no module. */
export const testEvent = 'test'

export const maxEndpoints = 10
/** Days for which the log keeps a delivery. */
export const logDays = 30
/** Days of failures after which an endpoint is switched off. */
export const failingDays = 5
