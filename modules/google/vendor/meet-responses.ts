import { z } from 'zod'

// The parts of the Meet API's responses that are used.

const name = z.string().min(1).max(255)
const timestamp = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
const nextPageToken = z.string().optional()

/** `endTime`: none while it lasts. */
export const Conference = z.object({ name, startTime: timestamp, endTime: timestamp.optional() })
export type Conference = z.output<typeof Conference>
export const ConferencesResponse = z.object({ conferenceRecords: z.array(Conference).default([]), nextPageToken })

const User = z.object({ displayName: z.string().default('') }).optional()
export const MeetParticipantsResponse = z.object({
  participants: z.array(z.object({ name, signedinUser: User, anonymousUser: User, phoneUser: User })).default([]),
  nextPageToken,
})

/** `state`: `STARTED`, `ENDED` or `FILE_GENERATED`. */
export const TranscriptsResponse = z.object({
  transcripts: z.array(z.object({ name, state: z.string().default('') })).default([]),
  nextPageToken,
})

export const EntriesResponse = z.object({
  transcriptEntries: z
    .array(
      z.object({
        participant: z.string().default(''),
        text: z.string().default(''),
        startTime: timestamp,
        endTime: timestamp,
      }),
    )
    .default([]),
  nextPageToken,
})
