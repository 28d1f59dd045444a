import type { RevAiApiClient } from 'revai-node-sdk'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Config, RevAiConfig } from '#tenants/config.ts'
import type { Submission } from '../recordings/transcriber.ts'
import { fromVendor } from './errors.ts'

/** Milliseconds. Two gigabytes over a slow line take an hour. */
const timeouts = { call: 20_000, upload: 60 * 60_000 }
/** Rev.ai deletes what is forgotten. */
const keptSeconds = 86_400
/** Rev.ai lists at most this many. */
const listed = 1000

const Job = z.object({
  id: z.string().min(1).max(255),
  status: z.string(),
  metadata: z.string().nullish(),
  failure: z.string().nullish(),
  duration_seconds: z.number().nonnegative().nullish(),
})
/** `status`: `in_progress`, `transcribed` or `failed`. */
export type RevAiJob = z.output<typeof Job>

const Transcript = z.object({
  monologues: z.array(
    z.object({
      speaker: z.number(),
      speaker_info: z.object({ display_name: z.string().nullish() }).nullish(),
      elements: z.array(
        z.object({
          type: z.string(),
          value: z.string().default(''),
          ts: z.number().nullish(),
          end_ts: z.number().nullish(),
        }),
      ),
    }),
  ),
})
export type RevAiTranscript = z.output<typeof Transcript>

/** Throws unavailable without REVAI_ACCESS_TOKEN. Source: part-2 §4. */
export function requireRevAi({ revai }: Config): RevAiConfig {
  if (!revai) throw new AppError('unavailable', 'Rev.ai not configured')
  return revai
}

/** Sends a recording. Not idempotent: look for its metadata with `findJob` first if that may have happened before. */
export async function submitRecording(
  config: RevAiConfig,
  { content, fileName, metadata, webhook }: Submission,
): Promise<RevAiJob> {
  const notification = webhook && {
    notification_config: { url: webhook.url, auth_headers: { Authorization: webhook.authorization } },
  }
  const options = { metadata, delete_after_seconds: keptSeconds, ...notification }
  const job = call(config, timeouts.upload, (client) => client.submitJobAudioData(content, fileName, options))
  return Job.parseAsync(await job).catch((error: unknown) => Promise.reject(fromVendor(error)))
}

export async function findJob(config: RevAiConfig, metadata: string): Promise<RevAiJob | null> {
  const jobs = await parse(z.array(Job), config, (client) => client.getListOfJobs(listed))
  return jobs.find((job) => job.metadata === metadata) ?? null
}

export const getJob = (config: RevAiConfig, id: string): Promise<RevAiJob> =>
  parse(Job, config, (client) => client.getJobDetails(id))

export const getTranscript = (config: RevAiConfig, id: string): Promise<RevAiTranscript> =>
  parse(Transcript, config, (client) => client.getTranscriptObject(id))

/** Deletes a job that has ended, with its recording and its transcript. A job that was deleted already is no error. */
export async function deleteJob(config: RevAiConfig, id: string): Promise<void> {
  try {
    await call(config, timeouts.call, (client) => client.deleteJob(id))
  } catch (error) {
    const failure = fromVendor(error)
    if (failure.kind !== 'not_found') throw failure
  }
}

async function parse<Schema extends z.ZodType>(
  schema: Schema,
  config: RevAiConfig,
  work: (client: RevAiApiClient) => Promise<unknown>,
): Promise<z.output<Schema>> {
  const response = await call(config, timeouts.call, work)
  const parsed = schema.safeParse(response)
  if (!parsed.success) throw fromVendor(parsed.error)
  return parsed.data
}

/** The library is loaded with the first call: most processes never need it. Throws TranscriberError. */
async function call<T>(
  { accessToken, baseUrl }: RevAiConfig,
  timeoutMs: number,
  work: (client: RevAiApiClient) => Promise<T>,
): Promise<T> {
  try {
    const { RevAiApiClient } = await import('revai-node-sdk')
    const client = new RevAiApiClient({ token: accessToken, deploymentConfig: { baseUrl, baseWebsocketUrl: '' } })
    // To be able to follow a redirect, the whole recording would be kept in memory.
    Object.assign(client.apiHandler.instance.defaults, { maxRedirects: 0, signal: AbortSignal.timeout(timeoutMs) })
    return await work(client)
  } catch (error) {
    throw fromVendor(error)
  }
}
