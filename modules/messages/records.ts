import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'

export const MessageOut = z.object({
  id: z.int(),
  clientId: z.int(),
  senderId: z.int().describe('The coach, or the client'),
  receiverId: z.int(),
  content: z.string(),
  isRead: z.boolean().describe('By the one who received it'),
  createdAt: z.iso.datetime(),
})
export type MessageRecord = z.output<typeof MessageOut>

/** Selects a MessageRecord, from `message m`. */
export const messageSelect = `m.id, m.client_id as "clientId",
  case m.sender when 'coach' then m.coach_id else m.client_id end as "senderId",
  case m.sender when 'coach' then m.client_id else m.coach_id end as "receiverId",
  m.content, m.read_at is not null as "isRead", ${isoTimestamp('m.created_at')} as "createdAt"`
