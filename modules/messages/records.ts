import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'

export const AttachmentOut = z.object({
  fileId: z.int(),
  name: z.string().nullable().describe('Null once the file is deleted'),
  isAvailable: z.boolean().describe('Whether the client can open it: it is still shared with them'),
})
export type AttachmentRecord = z.output<typeof AttachmentOut>

export const MessageOut = z.object({
  id: z.int(),
  clientId: z.int(),
  senderId: z.int().describe('The coach, or the client'),
  receiverId: z.int(),
  content: z.string(),
  isRead: z.boolean().describe('By the one who received it'),
  createdAt: z.iso.datetime(),
  attachments: z.array(AttachmentOut).describe('Files that the coach sent with it'),
})
export type MessageRecord = z.output<typeof MessageOut>

/** A message without its attachments. */
export type MessageRow = Omit<MessageRecord, 'attachments'>

/** Selects a MessageRow, from `message m`. */
export const messageSelect = `m.id, m.client_id as "clientId",
  case m.sender when 'coach' then m.coach_id else m.client_id end as "senderId",
  case m.sender when 'coach' then m.client_id else m.coach_id end as "receiverId",
  m.content, m.read_at is not null as "isRead", ${isoTimestamp('m.created_at')} as "createdAt"`
