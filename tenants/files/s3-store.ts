import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import type { S3Config } from '../config.ts'
import { partBytes, type ByteRange, type FileKey, type FileStore, type PartialFile, type StoredBytes } from './store.ts'

/**
 * Milliseconds, also without a byte in the middle of an answer. A part of 5 MB over a slow line to the store takes
 * less.
 */
const patience = { connectionTimeout: 5_000, requestTimeout: 30_000, socketTimeout: 30_000 }

/** Files in a bucket that only this product reads. */
export function createS3Store(config: S3Config, timeouts = patience): FileStore {
  const bucket = { client: openClient(config, timeouts), name: config.bucket }
  return {
    write: (key, content) => write(bucket, key, content),
    read: (key, range) => read(bucket, key, range),
    async delete(key) {
      await run(bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key })))
    },
    list: (prefix = '') => list(bucket, prefix),
    async startParts(key) {
      const command = new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: key })
      const { UploadId } = await run(bucket.client.send(command))
      return UploadId!
    },
    writePart: (parts, index, content) => writePart(bucket, parts, index, content),
    joinParts: (parts) => joinParts(bucket, parts),
    dropParts: (parts) => dropParts(bucket, parts),
    close: () => bucket.client.destroy(),
  }
}

type Bucket = { client: S3Client; name: string }

const openClient = (
  { endpoint, region, accessKeyId, secretAccessKey }: S3Config,
  timeouts: typeof patience,
): S3Client =>
  new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // The default checksums upset some compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { ...timeouts, throwOnRequestTimeout: true },
  })

async function write({ client, name }: Bucket, key: FileKey, content: Readable): Promise<void> {
  const upload = new Upload({
    client,
    params: { Bucket: name, Key: key, Body: content },
    // More at once would keep more parts in memory.
    queueSize: 1,
    partSize: partBytes,
  })
  content.once('error', () => void upload.abort())
  try {
    await upload.done()
  } catch (error) {
    const { errored } = content
    content.destroy()
    throw errored ?? toStoreError(error)
  }
}

async function read({ client, name }: Bucket, key: FileKey, range?: ByteRange): Promise<Readable> {
  const bytes = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
  const result = await run(client.send(new GetObjectCommand({ Bucket: name, Key: key, ...bytes })))
  return result.Body as Readable
}

async function* list({ client, name }: Bucket, prefix: string): AsyncGenerator<StoredBytes> {
  let token: string | undefined
  do {
    const next = token ? { ContinuationToken: token } : {}
    const page = await run(client.send(new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ...next })))
    for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
      if (Key && LastModified) yield { key: Key as FileKey, size: Size, modifiedAt: LastModified }
    token = page.NextContinuationToken
  } while (token)
}

async function writePart(
  { client, name }: Bucket,
  { key, storeId }: PartialFile,
  index: number,
  content: Readable,
): Promise<void> {
  // The SDK can repeat a request only with all of its body.
  const body = await buffer(content)
  const part = { Bucket: name, Key: key, UploadId: storeId, PartNumber: index + 1, Body: body }
  await run(client.send(new UploadPartCommand(part)))
}

async function joinParts({ client, name }: Bucket, { key, storeId }: PartialFile): Promise<void> {
  const upload = { Bucket: name, Key: key, UploadId: storeId }
  // A part may have been sent twice: the bucket alone knows which one came last.
  const listed = await run(client.send(new ListPartsCommand(upload)))
  const Parts = (listed.Parts ?? []).map(({ ETag, PartNumber }) => ({ ETag, PartNumber }))
  await run(client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })))
}

async function dropParts({ client, name }: Bucket, { key, storeId }: PartialFile): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: storeId })
  // It may have been joined or dropped before.
  await run(client.send(command)).catch(ignoreNotFound)
}

async function run<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw toStoreError(error)
  }
}

/** The SDK's errors carry the request, with its signature: nothing of it may get into a log. */
function toStoreError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404)
    return new AppError('not_found', 'File not found')
  const unavailable = new AppError('unavailable', "The storage of files doesn't answer. Please try again later.")
  unavailable.cause = new Error(error instanceof Error ? error.name : 'unknown error')
  return unavailable
}
