import { timeFormats, weekStarts } from '#app/lib/clock.ts'
import type { Fields } from '#app/lib/fields.ts'

/** Apart from the fields of the sign-in page, which need no clock. */
export const profileFields = {
  businessName: { kind: 'line', label: 'Business name', required: 'Business name is required', nullable: true },
  bio: { kind: 'text', label: 'Bio', optional: true },
  phone: { kind: 'line', label: 'Phone', optional: true },
  timezone: { kind: 'line', label: 'Time zone' },
  weekStart: {
    kind: 'choice',
    label: 'Week starts on',
    choices: weekStarts,
    message: 'Choose one of sunday, monday, saturday',
  },
  timeFormat: { kind: 'choice', label: 'Time format', choices: timeFormats, message: 'Choose one of 12h, 24h' },
} as const satisfies Fields
