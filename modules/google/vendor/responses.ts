import { z } from 'zod'
import { isTimezone } from '#app/lib/zod-types.ts'

// The parts of Google's responses that are used. Anything else is garbage, but one odd event must not keep a calendar
// from being read: what can't be read of it counts as left out.

const timestamp = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
const zone = z
  .string()
  .optional()
  .transform((name) => (name && isTimezone(name) ? name : null))

/** An instant with its zone, or a date. */
const Time = z.object({ date: z.iso.date().optional(), dateTime: timestamp.optional(), timeZone: zone })

export const EventResponse = z.object({
  id: z.string().min(1).max(1024),
  etag: z.string().max(255).default('').catch(''),
  /** `cancelled`: deleted. A deleted event has little but its id. */
  status: z.string().default('confirmed'),
  eventType: z.string().default('default').catch('default'),
  transparency: z.string().default('opaque').catch('opaque'),
  updated: timestamp.optional().catch(undefined),
  start: Time.optional().catch(undefined),
  end: Time.optional().catch(undefined),
  recurrence: z.array(z.string().max(10_000)).max(100).optional().catch(undefined),
  /** The series of an exception, and the time that it replaces. */
  recurringEventId: z.string().max(1024).optional().catch(undefined),
  originalStartTime: Time.optional().catch(undefined),
  attendees: z
    .array(z.object({ self: z.boolean().default(false), responseStatus: z.string().default('') }))
    .default([])
    .catch([]),
  hangoutLink: z.string().max(2000).optional().catch(undefined),
  extendedProperties: z
    .object({ private: z.record(z.string(), z.string()).default({}) })
    .optional()
    .catch(undefined),
})
export type GoogleEvent = z.output<typeof EventResponse>

export const EventsResponse = z.object({
  kind: z.literal('calendar#events'),
  items: z.array(EventResponse).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().max(4096).optional(),
})

export const CalendarListResponse = z.object({
  kind: z.literal('calendar#calendarList'),
  items: z
    .array(
      z.object({
        id: z.string().min(1).max(1024),
        summary: z.string().default(''),
        summaryOverride: z.string().optional(),
        timeZone: zone,
        accessRole: z.string().default('reader'),
        primary: z.boolean().default(false),
        deleted: z.boolean().default(false),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})
export type ListedCalendar = z.output<typeof CalendarListResponse>['items'][number]

export const ChannelResponse = z.object({
  id: z.string(),
  resourceId: z.string().max(1024),
  expiration: z.coerce.number().positive(),
})
