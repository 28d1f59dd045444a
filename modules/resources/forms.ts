import { z } from 'zod'
import { dayMs } from '#app/lib/time.ts'
import { emptyAsNull, formId, id, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import { parseId } from '#app/lib/url.ts'
import { audiences, maxTagLength, maxTags, parseTags, type Audience } from './fields.ts'
import { folder, resource } from './records.ts'

const httpsUrl = () =>
  requiredLine('Address is required', 2048).refine(
    (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
    'Use an address that begins with https://',
  )
const tags = () => z.array(singleLine(maxTagLength)).max(maxTags, `Use at most ${maxTags} tags`)
const tagsText = () => singleLine(1000).transform(parseTags).pipe(tags())
const linkType = () => z.enum(['link', 'video'], 'Choose Link or Video')

/** JSON of POST /api/files: `uploadId` for a complete upload, or `fileUrl` for a link or a video. */
export const NewFile = resource.create.extend({
  fileUrl: httpsUrl().optional(),
  type: linkType().optional(),
  uploadId: id('Upload not found').optional(),
  isShared: z.boolean().optional(),
  tags: tags().optional(),
  clientId: emptyAsNull(id('Client not found')).optional(),
  folderId: emptyAsNull(id('Folder not found')).optional(),
})
export type NewFile = z.output<typeof NewFile>

export const FileEdit = resource.update.extend({
  fileUrl: httpsUrl().optional(),
  isShared: z.boolean().optional(),
  tags: tags().optional(),
})
export type FileEdit = z.output<typeof FileEdit>

const fieldId = () =>
  z.preprocess((value) => (value === undefined || value === '' ? null : parseId(value)), z.int().min(1).nullable())

/** The fields of a multipart form. */
export const FileForm = z.object({
  name: singleLine(255).optional(),
  clientId: fieldId(),
  folderId: fieldId(),
  isShared: z
    .enum(['true', 'false', ''])
    .optional()
    .transform((value) => value === 'true'),
  tags: tagsText().optional(),
})
export const NewVersion = z.object({ uploadId: id('Upload not found') })

export const NewFolder = folder.create
export type NewFolder = z.output<typeof NewFolder>
export const FolderEdit = folder.update
export type FolderEdit = z.output<typeof FolderEdit>

const maxOpens = () => z.int('Enter a whole number').min(1, 'Enter at least 1').max(10_000, 'Enter at most 10,000')
const password = () => singleLine(200)

/** A share of a resource. */
export const NewShare = z.object({
  audience: z.enum(Object.keys(audiences) as [Audience, ...Audience[]], 'Choose who may open it'),
  clientId: id('Client not found').optional(),
  tag: singleLine(maxTagLength).optional().describe('Of clients, for the audience `tag`'),
  expiresInDays: z.int('Enter a whole number').min(1, 'Enter at least 1').max(365, 'Enter at most 365').optional(),
  maxOpens: maxOpens().optional(),
  password: password().optional(),
  sendEmail: z.boolean().optional().describe('Sends the clients their link. By default false.'),
})
export type NewShare = z.output<typeof NewShare>

// Forms of the pages.

const optionalNumber = (schema: z.ZodType<number>) =>
  z.preprocess((value) => (value === '' || value === undefined ? undefined : Number(value)), schema.optional())

export const UploadedForm = z.object({
  uploadId: formId('Choose a file.'),
  name: requiredLine('Name is required'),
  clientId: fieldId(),
  folderId: fieldId(),
  tags: tagsText(),
})
export const LinkForm = z.object({
  name: requiredLine('Name is required'),
  fileUrl: httpsUrl(),
  type: linkType(),
  clientId: fieldId(),
  folderId: fieldId(),
})
export const EditForm = z.object({
  id: formId('This form is incomplete.'),
  version: version(),
  name: requiredLine('Name is required'),
  fileUrl: httpsUrl().optional(),
  clientId: fieldId().optional(),
  folderId: fieldId().optional(),
  tags: tagsText().optional(),
})
export const VersionForm = z.object({ id: formId('This form is incomplete.'), uploadId: formId('Choose a file.') })
export const FolderForm = folder.form
export const RenameFolderForm = folder.editForm
export const BulkForm = z.object({
  ids: z.preprocess(
    (value) => (Array.isArray(value) ? value : [value]).map(parseId).filter(Boolean),
    z.array(z.int()).max(500),
  ),
  folderId: fieldId().optional(),
  tag: singleLine(maxTagLength).optional(),
})
export const ShareForm = z.object({
  id: formId('This form is incomplete.'),
  audience: NewShare.shape.audience,
  tag: singleLine(maxTagLength).optional(),
  clientIds: z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]).map(parseId).filter(Boolean),
    z.array(z.int()).max(100, 'Choose at most 100 clients'),
  ),
  expiresInDays: optionalNumber(z.int('Enter a whole number').min(1, 'Enter at least 1').max(365, 'Enter at most 365')),
  maxOpens: optionalNumber(maxOpens()),
  password: password().optional(),
  sendEmail: z.literal('yes').optional(),
})

export const toExpiry = (now: Date, days: number | undefined): Date | null =>
  days === undefined ? null : new Date(now.getTime() + days * dayMs)
