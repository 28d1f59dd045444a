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
import { AppError } from '#app/lib/errors.ts'
import type { S3Config } from '../config.ts'
import { partBytes, type FileKey, type FileStore } from './store.ts'

/**
 * Milliseconds, also without a byte in the middle of an answer. A part of 5 MB over a slow line to the store takes
 * less.
 */
const patience = { connectionTimeout: 5_000, requestTimeout: 30_000, socketTimeout: 30_000 }

/** Files in a bucket that only this product reads. */
export function createS3Store(
  { bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Config,
  timeouts = patience,
): FileStore {
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // The default checksums upset some compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { ...timeouts, throwOnRequestTimeout: true },
  })

  return {
    async write(key, content) {
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: key, Body: content },
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
    },
    async read(key, range) {
      const result = await run(
        client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        ),
      )
      return result.Body as Readable
    },
    async delete(key) {
      await run(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })))
    },
    async *list(prefix = '') {
      let token: string | undefined
      do {
        const page = await run(
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix,
              ...(token ? { ContinuationToken: token } : {}),
            }),
          ),
        )
        for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
          if (Key && LastModified) yield { key: Key as FileKey, size: Size, modifiedAt: LastModified }
        token = page.NextContinuationToken
      } while (token)
    },
    async startParts(key) {
      const { UploadId } = await run(client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key })))
      return UploadId!
    },
    async writePart({ key, storeId }, index, content) {
      // The SDK can repeat a request only with all of its body.
      const body = await buffer(content)
      await run(
        client.send(
          new UploadPartCommand({ Bucket: bucket, Key: key, UploadId: storeId, PartNumber: index + 1, Body: body }),
        ),
      )
    },
    async joinParts({ key, storeId }) {
      // A part may have been sent twice: the bucket alone knows which one came last.
      const listed = await run(client.send(new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: storeId })))
      const Parts = (listed.Parts ?? []).map(({ ETag, PartNumber }) => ({ ETag, PartNumber }))
      await run(
        client.send(
          new CompleteMultipartUploadCommand({
            Bucket: bucket,
            Key: key,
            UploadId: storeId,
            MultipartUpload: { Parts },
          }),
        ),
      )
    },
    async dropParts({ key, storeId }) {
      await run(client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: storeId }))).catch(
        (error: unknown) => {
          // It was joined or dropped before.
          if (!(error instanceof AppError && error.code === 'not_found')) throw error
        },
      )
    },
    close: () => client.destroy(),
  }
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
