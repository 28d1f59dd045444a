import type { Fields } from '#app/lib/fields.ts'

export const messageFields = {
  content: { kind: 'text', label: 'Message', required: 'Write a message', max: 5000 },
  attachmentIds: { kind: 'line', label: 'Files', optional: true },
} as const satisfies Fields

/** Files of one message. */
export const maxAttachments = 5

/** The writers of messages. */
export const senders = ['coach', 'client'] as const
export type Sender = (typeof senders)[number]
