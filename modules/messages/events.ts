import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ messageId: z.int(), clientId: z.int() })

/** The coach wrote to a client. */
export const messageSent = defineEvent('messages.message-sent', payload)
/** A client wrote to the coach. */
export const messageReceived = defineEvent('messages.message-received', payload)
