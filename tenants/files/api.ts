import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { listOperation } from '../api/resource.ts'
import { operation, vendorOperation, withPermission, type Operation } from '../api/operation.ts'
import { createUpload, deleteUpload, getUpload, listUploads, NewUpload, UploadOut, writeUploadPart } from './uploads.ts'

const tags = ['Uploads']
const Offset = z.object({
  offset: z
    .string()
    .regex(/^\d{1,15}$/, 'Send the offset of the part in bytes')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, description: 'Where the part begins. By default 0.' }),
})

/** Files that come in parts. A record takes a complete one by its id, such as POST /api/files with `uploadId`. */
export const uploadOperations: Operation[] = withPermission('core:upload', [
  listOperation({
    tags,
    path: '/uploads',
    summary: 'List the uploads that no record has taken yet',
    output: UploadOut,
    run: listUploads,
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
  vendorOperation({
    method: 'post',
    path: '/uploads',
    summary: 'Start the upload of a file in parts',
    description:
      'Then send its parts of `partSize` bytes, one after the other. It expires two days after its last part.',
    tags,
    body: NewUpload,
    answers: { 201: UploadOut },
    refusals: [503],
    handle: (ctx, { body }) => createUpload(ctx, body),
  }),
  operation({
    method: 'get',
    path: '/uploads/{id}',
    summary: 'Get the progress of an upload',
    tags,
    answers: { 200: UploadOut },
    handle: (ctx, { params }) => getUpload(ctx, params.id!),
  }),
  operation({
    method: 'put',
    path: '/uploads/{id}',
    summary: 'Send the next part of a file',
    description: 'After an interruption, send the part that begins at `received` again.',
    tags,
    query: Offset,
    answers: { 200: UploadOut },
    refusals: [409, 415, 422, 503],
    find: (ctx, { id }) => getUpload(ctx, id!),
    content: {
      type: 'application/octet-stream',
      handle: (ctx, { params, query, content }) =>
        writeUploadPart(ctx, params.id!, (query as z.output<typeof Offset>).offset ?? 0, content.stream),
    },
    handle: async () => {
      throw new AppError('unsupported_media_type', 'Send the part as application/octet-stream.')
    },
  }),
  operation({
    method: 'delete',
    path: '/uploads/{id}',
    summary: 'Cancel an upload',
    tags,
    answers: { 204: null },
    handle: (ctx, { params }) => deleteUpload(ctx, params.id!),
  }),
])
