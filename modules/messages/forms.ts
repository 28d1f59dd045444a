import { z } from 'zod'
import { parseId } from '#app/lib/url.ts'
import { formId, id, requiredText, singleLine } from '#app/lib/zod-types.ts'
import { maxAttachments, messageFields } from './fields.ts'

const { required, max } = messageFields.content
const incomplete = 'This form is incomplete.'

/** A message of a client. */
export const OwnMessage = z.object({
  content: requiredText(required, max),
})
const tooManyFiles = `Choose at most ${maxAttachments} files`
/** A message of the coach. */
export const NewMessage = OwnMessage.extend({
  attachmentIds: z
    .array(id('Resource not found'), 'Send a list of ids')
    .max(maxAttachments, tooManyFiles)
    .optional()
    .describe(
      'Files that the message comes with, which are shared with the client. An API key also needs the scope resources:read.',
    ),
})
export type NewMessage = z.output<typeof NewMessage>

const fileIds = (max: number) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value : [value]).map(parseId).filter(Boolean),
    z.array(z.int()).max(max, tooManyFiles),
  )
/** `clientId`: whose thread it is. */
export const MessageForm = OwnMessage.extend({ clientId: formId(incomplete), attachmentIds: fileIds(maxAttachments) })
/** Searches the files to attach, and keeps the message as it is. */
export const FindFilesForm = z.object({
  clientId: formId(incomplete),
  files: singleLine().optional(),
  content: z.string().optional(),
  attachmentIds: fileIds(100),
})
/** Says that all messages up to `id` are read. */
export const ReadForm = z.object({ clientId: formId(incomplete), id: formId(incomplete) })
