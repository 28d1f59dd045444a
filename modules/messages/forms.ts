import { z } from 'zod'
import { formId, multiLine } from '#app/lib/zod-types.ts'
import { messageFields } from './fields.ts'

const { required, max } = messageFields.content
const incomplete = 'This form is incomplete.'

export const NewMessage = z.object({
  content: z.preprocess(
    (value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : (value ?? '')),
    multiLine(max).refine((value) => value !== '', required),
  ),
})
/** `clientId`: whose thread it is. */
export const MessageForm = NewMessage.extend({ clientId: formId(incomplete) })
/** Says that all messages up to `id` are read. */
export const ReadForm = z.object({ clientId: formId(incomplete), id: formId(incomplete) })
