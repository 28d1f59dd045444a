import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { FileAnswer, FileAnswerOut, operation, type Content, type Operation } from '#tenants/api/operation.ts'
import { listOperation, resource as resourceOperations } from '#tenants/api/resource.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { discardContent, findSource } from '#tenants/files/files.ts'
import { receiveForm } from '#tenants/files/form-upload.ts'
import { toDownloadName } from './download-name.ts'
import { parseFileForm } from './file-form.ts'
import { FileEdit, FolderEdit, NewFile, NewFolder, NewShare, NewVersion } from './forms.ts'
import { findPicture, findVersion, getFile, listFiles, listVersions } from './queries/files.ts'
import { getFolder, listFolders } from './queries/folders.ts'
import { listOpens, listShares, OpenOut, ShareOut } from './queries/shares.ts'
import { folder, resource, VersionOut, type ResourceRecord } from './records.ts'
import {
  addVersion,
  createFile,
  createFromContent,
  deleteResource,
  restoreResource,
  updateFile,
} from './services/files.ts'
import { createFolder, deleteFolder, restoreFolder, updateFolder } from './services/folders.ts'
import { createShare, revokeShare } from './services/shares.ts'

const tags = ['Files']
const latestRows = 500

const Version = z.object({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Send the number of a version')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'A former version. By default the current one.' }),
})

const pdfType = 'application/pdf'
const Picture = z.object({
  of: z.string().max(20).optional().describe('Changes with the picture, so that browsers may keep it'),
})

/** Source: api.md "files". */
export const operations: Operation[] = [
  ...resourceOperations({
    path: '/files/folders',
    tag: 'Files',
    noun: 'folder',
    output: folder.output,
    get: getFolder,
    list: { run: listFolders },
    create: { body: NewFolder, run: createFolder },
    update: { body: FolderEdit, run: updateFolder },
    delete: { run: deleteFolder },
    restore: restoreFolder,
  }),
  ...resourceOperations({
    path: '/files',
    noun: 'file',
    output: resource.output,
    get: getFile,
    list: { run: listFiles },
    update: { body: FileEdit, run: updateFile },
    delete: { run: deleteResource },
    restore: restoreResource,
  }),
  operation({
    method: 'post',
    path: '/files',
    summary: 'Add a file, a link or a video',
    description:
      'As a multipart form with the fields `file`, `name`, `clientId`, `folderId`, `tags` (separated by commas) and `isShared`. ' +
      'As JSON: `fileUrl` for a link or a video, `uploadId` for a file that came in parts. ' +
      'The type of a file is that of its content. `isShared` shares with the client, or with all clients without one.',
    tags,
    body: NewFile,
    content: {
      type: 'multipart/form-data',
      handle: (ctx, { content }) => uploadFile(ctx, content),
    },
    answers: { 201: resource.output },
    refusals: [409],
    handle: (ctx, { body }) => createFile(ctx, body),
  }),
  operation({
    method: 'get',
    path: '/files/{id}/download',
    summary: 'Download a file',
    description: 'Also a range of it, as players and interrupted downloads ask for.',
    tags,
    query: Version,
    answers: { 200: FileAnswerOut, 206: FileAnswerOut, 304: null },
    refusals: [409, 416, 503],
    find: (ctx, { id }) => getFile(ctx, id!),
    handle: (ctx, { params, query }) => downloadFile(ctx, params.id!, query.version),
  }),
  ...(['thumbnail', 'preview'] as const).map((name) =>
    operation({
      method: 'get',
      path: `/files/{id}/${name}`,
      summary: `Get the ${name} of a picture`,
      description: 'WebP. Other files have none: 404.',
      tags,
      query: Picture,
      answers: { 200: FileAnswerOut, 206: FileAnswerOut, 304: null },
      refusals: [404, 416, 503],
      find: (ctx, { id }) => getFile(ctx, id!),
      handle: (ctx, { params }) => sendPicture(ctx, params.id!, name),
    }),
  ),
  operation({
    method: 'get',
    path: '/files/{id}/view',
    summary: 'Show a PDF in the browser',
    description: 'Other files are only downloaded: 404.',
    tags,
    answers: { 200: FileAnswerOut, 206: FileAnswerOut, 304: null },
    refusals: [404, 416, 503],
    find: (ctx, { id }) => getFile(ctx, id!),
    handle: (ctx, { params }) => viewFile(ctx, params.id!),
  }),
  operation({
    method: 'get',
    path: '/files/{id}/versions',
    summary: 'List the versions of a file, newest first',
    tags,
    answers: { 200: z.object({ versions: z.array(VersionOut) }) },
    handle: async (ctx, { params }) => ({ versions: await listVersions(ctx, params.id!, { rows: latestRows }) }),
  }),
  operation({
    method: 'post',
    path: '/files/{id}/versions',
    summary: 'Add a version to a file from a complete upload',
    tags,
    body: NewVersion,
    answers: { 201: resource.output },
    refusals: [409],
    find: (ctx, { id }) => getFile(ctx, id!),
    handle: (ctx, { params, body }) => addVersion(ctx, params.id!, body.uploadId),
  }),
  listOperation({
    tags,
    path: '/files/{id}/shares',
    summary: 'List the shares of a file',
    output: ShareOut,
    find: (ctx, { id }) => getFile(ctx, id!),
    run: (ctx, page, _query, { id }) => listShares(ctx, id!, page),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
  operation({
    method: 'post',
    path: '/files/{id}/shares',
    summary: 'Share a file with a client, clients with a tag, all clients or anyone with the link',
    tags,
    body: NewShare,
    answers: { 201: ShareOut },
    find: (ctx, { id }) => getFile(ctx, id!),
    handle: (ctx, { params, body }) => createShare(ctx, params.id!, body),
  }),
  operation({
    method: 'delete',
    path: '/files/{id}/shares/{share}',
    summary: 'End a share',
    tags,
    answers: { 204: null },
    handle: (ctx, { params }) => revokeShare(ctx, params.share!, params.id!),
  }),
  operation({
    method: 'get',
    path: '/files/{id}/opens',
    summary: 'List the latest 500 opens of a file, with the client and the time',
    tags,
    answers: { 200: z.object({ opens: z.array(OpenOut) }) },
    handle: async (ctx, { params }) => ({ opens: await listOpens(ctx, params.id!, { rows: latestRows }) }),
  }),
]

async function uploadFile(ctx: Ctx, form: Content): Promise<ResourceRecord> {
  // Before a file of 2 GB comes in.
  authorize(ctx, 'resources:resource:write')
  const { fields, name, content } = await receiveForm(ctx, form)
  try {
    return await ctx.write((tx) => createFromContent(tx, { name, content }, parseFileForm(fields)))
  } catch (error) {
    await discardContent(ctx, content)
    throw error
  }
}

async function downloadFile(ctx: Ctx, id: number, number: number | undefined): Promise<FileAnswer> {
  const { name, size } = await getFile(ctx, id)
  if (size === null) throw new AppError('conflict', 'A link has no file to download.', { subject: 'resource' })
  const version = await findVersion(ctx, id, number)
  if (!version) throw new AppError('not_found', 'Version not found')
  const file = await findSource(ctx, version.storedFileId)
  return new FileAnswer(file, attachmentHeaders(toDownloadName(name, version.fileName), file.contentType))
}

async function sendPicture(ctx: Ctx, id: number, name: 'thumbnail' | 'preview'): Promise<FileAnswer> {
  const fileId = await findPicture(ctx, id, name)
  if (fileId === null) throw new AppError('not_found', 'This file has no picture')
  const source = await findSource(ctx, fileId)
  return new FileAnswer(source, {
    'Content-Type': source.contentType,
    'Content-Disposition': 'inline',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
}

async function viewFile(ctx: Ctx, id: number): Promise<FileAnswer> {
  const { name, fileType } = await getFile(ctx, id)
  if (fileType !== pdfType) throw new AppError('not_found', 'Only PDFs are shown')
  const { storedFileId, fileName } = (await findVersion(ctx, id))!
  return new FileAnswer(await findSource(ctx, storedFileId), {
    ...attachmentHeaders(toDownloadName(name, fileName), pdfType),
    'Content-Disposition': 'inline',
    // A sandbox would keep the browser's reader away. Scripts of a PDF reach no page in any of them.
    'Content-Security-Policy':
      "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
}
