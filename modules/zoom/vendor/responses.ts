import { z } from 'zod'

// The parts of Zoom's responses that are used. What can't be read of a file or a participant counts as left out.

const id = z.string().min(1).max(255)
const timestamp = z.string().refine((text) => !Number.isNaN(Date.parse(text)))

export const TokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().default(''),
})
export type TokenResponse = z.output<typeof TokenResponse>

export const UserResponse = z.object({ id, email: z.email().max(254) })

/** `status`: `completed` or `processing`. */
const File = z.object({
  file_type: z.string().default(''),
  recording_type: z.string().default(''),
  status: z.string().default(''),
  download_url: z.string().default(''),
  file_size: z.number().int().nonnegative().nullish().catch(null),
})
export type RecordingFile = z.output<typeof File>

/** `uuid`: of one meeting. `id`: the number of the room, the same each time. `duration`: minutes. */
const Recording = z.object({
  uuid: id,
  id: z.union([z.number(), z.string()]).transform(String),
  topic: z.string().default(''),
  start_time: timestamp,
  duration: z.number().nonnegative().default(0),
  recording_files: z.array(File.nullable().catch(null)).default([]),
})
export type Recording = z.output<typeof Recording>

export const RecordingResponse = Recording.extend({ download_access_token: z.string().optional() })
export type RecordingResponse = z.output<typeof RecordingResponse>

export const RecordingsResponse = z.object({
  meetings: z.array(Recording.nullable().catch(null)).default([]),
  next_page_token: z.string().default(''),
})

export const ParticipantsResponse = z.object({
  participants: z
    .array(
      z
        .object({ name: z.string().default(''), user_email: z.string().nullish() })
        .nullable()
        .catch(null),
    )
    .default([]),
  next_page_token: z.string().default(''),
})
