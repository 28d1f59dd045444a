import { z } from 'zod'
import type { SummarizerConfig } from '#tenants/config.ts'
import { fromVendor, readFailure, SummarizerError } from './errors.ts'

export type Message = { role: 'system' | 'user' | 'assistant'; content: string }
/** Sends messages to the model. Returns its answer as JSON. Throws SummarizerError. */
export type Complete = (messages: Message[], signal: AbortSignal) => Promise<unknown>

const timeoutMs = 90_000

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})

/**
 * A client of an endpoint that speaks OpenAI's protocol, for responses of one schema. An endpoint that knows no schemas is
 * asked for a JSON object, and one that fixes the temperature is not asked for another.
 */
export function createClient(config: SummarizerConfig, name: string, schema: z.ZodType): Complete {
  let hasSchemas = true
  let hasTemperature = true
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema)
  const toBody = (messages: Message[]): string =>
    JSON.stringify({
      model: config.model,
      messages,
      ...(hasTemperature ? { temperature: 0 } : {}),
      response_format: hasSchemas
        ? { type: 'json_schema', json_schema: { name, strict: true, schema: jsonSchema } }
        : { type: 'json_object' },
    })

  return async (messages, signal) => {
    for (;;) {
      const response = await send(config, toBody(messages), signal)
      if ('answer' in response) return response.answer
      const { error, param } = response
      if (error.status === 400 && param === 'temperature' && hasTemperature) hasTemperature = false
      else if (error.status === 400 && error.code !== 'context_length_exceeded' && hasSchemas) hasSchemas = false
      else throw error
    }
  }
}

type Result = { answer: unknown } | { error: SummarizerError; param: string | null }

async function send({ baseUrl, apiKey }: SummarizerConfig, body: string, signal: AbortSignal): Promise<Result> {
  try {
    const response = await fetch(`${baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
    })
    if (!response.ok) return await readFailure(response)
    return { answer: readAnswer(Completion.parse(await response.json())) }
  } catch (error) {
    throw fromVendor(error)
  }
}

function readAnswer({ choices }: z.output<typeof Completion>): unknown {
  const { finish_reason: reason, message } = choices[0]!
  if (message.refusal || reason === 'content_filter') throw new SummarizerError('refused', { code: 'refusal' })
  if (reason === 'length') throw new SummarizerError('refused', { code: 'length' })
  // Some models put a JSON object into a block of code.
  const content = (message.content ?? '').trim().replace(/^```(?:json)?\s*|\s*```$/g, '')
  return JSON.parse(content)
}
