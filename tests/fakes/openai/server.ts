import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

export type Failure = number | 'garbage' | 'nothing' | 'silence' | 'length' | 'refusal' | 'quota'
export type Message = { role: string; content: string }
/** Writes JSON, or a text that is none. */
export type Model = (messages: Message[]) => unknown

export type FakeOpenAi = {
  url: string
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  /** Replaces the model, which by default cites the first lines word for word. */
  model: Model
  /** Servers that are not OpenAI's own may know no schemas, or no temperature. */
  supports: { schemas: boolean; temperature: boolean }
  fail(failure: Failure, times?: number): void
  stopFailing(): void
  /** The bodies of accepted requests. */
  requests: z.output<typeof Body>[]
  close(): Promise<void>
}

const apiKey = 'sk-for-tests-only'
const modelName = 'summarizer-1'

const JsonSchema = z.record(z.string(), z.unknown())
const Body = z.strictObject({
  model: z.string(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) }))
    .min(1),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.boolean(),
          schema: JsonSchema,
        }),
      }),
    ])
    .optional(),
})

class ApiError extends Error {
  readonly status: number
  readonly body: { message: string; type: string; param: string | null; code: string | null }
  constructor(
    status: number,
    message: string,
    { code = null, param = null }: { code?: string | null; param?: string | null },
  ) {
    super(message)
    this.status = status
    this.body = { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param, code }
  }
}

/** A server that rejects what OpenAI's chat completions reject. */
export async function startFakeOpenAi({ port = 0 } = {}): Promise<FakeOpenAi> {
  const failures: { failure: Failure; times: number }[] = []
  const fake = { model: citingModel as Model, supports: { schemas: true, temperature: true } }
  const requests: z.output<typeof Body>[] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request)
    const failing = failures.find(({ times }) => times > 0)
    if (failing) failing.times -= 1
    const failure = failing?.failure
    if (failure === 'silence') return
    if (failure === 'nothing') return void response.destroy()
    if (failure === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in')
    if (failure === 'quota') throw new ApiError(429, 'You exceeded your current quota', { code: 'insufficient_quota' })
    if (typeof failure === 'number') throw new ApiError(failure, 'The server had an error', {})
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      throw new ApiError(401, 'Incorrect API key provided', { code: 'invalid_api_key' })
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      throw new ApiError(404, 'Invalid URL', { code: 'unknown_url' })
    const body = parseBody(request, text)
    requests.push(body)
    const written = fake.model(body.messages)
    const content = typeof written === 'string' ? written : JSON.stringify(written)
    sendJson(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: modelName,
      choices: [
        failure === 'refusal'
          ? { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, refusal: 'I can’t help.' } }
          : {
              index: 0,
              finish_reason: failure === 'length' ? 'length' : 'stop',
              message: {
                role: 'assistant',
                content: failure === 'length' ? content.slice(0, content.length / 2) : content,
                refusal: null,
              },
            },
      ],
    })
  }

  function parseBody(request: IncomingMessage, text: string): z.output<typeof Body> {
    if (!request.headers['content-type']?.startsWith('application/json'))
      throw new ApiError(400, 'Send JSON', { code: null })
    const parsed = Body.safeParse(JSON.parse(text))
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!
      throw new ApiError(400, message, { code: 'invalid_value', param: path.join('.') })
    }
    const { model, messages, temperature, response_format: format } = parsed.data
    if (model !== modelName)
      throw new ApiError(404, `The model ${model} does not exist`, { code: 'model_not_found', param: 'model' })
    if (temperature !== undefined && !fake.supports.temperature)
      throw new ApiError(400, 'Only the default (1) value is supported', {
        code: 'unsupported_value',
        param: 'temperature',
      })
    if (format?.type === 'json_object' && !messages.some(({ content }) => /json/i.test(content)))
      throw new ApiError(400, "'messages' must contain the word 'json'", { param: 'messages' })
    if (format?.type === 'json_schema') {
      if (!fake.supports.schemas)
        throw new ApiError(400, 'response_format is not supported', { param: 'response_format' })
      if (format.json_schema.strict) checkStrict(format.json_schema.schema)
    }
    return parsed.data
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(fake, {
    url,
    env: { SUMMARIZER_BASE_URL: url, SUMMARIZER_API_KEY: apiKey, SUMMARIZER_MODEL: modelName },
    requests,
    fail: (failure: Failure, times = Number.POSITIVE_INFINITY) => void failures.push({ failure, times }),
    stopFailing: () => void failures.splice(0),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

/** In strict mode every object lists all of its properties as required and takes no others. */
function checkStrict(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  const reject = (message: string): never => {
    throw new ApiError(400, `Invalid schema: ${message}`, { param: 'response_format' })
  }
  for (const key of ['minLength', 'maxLength', '$schema', 'default', 'allOf', 'oneOf'])
    if (key in schema && type !== undefined) reject(`'${key}' is not permitted`)
  if (type === 'object') {
    if (additionalProperties !== false) reject("'additionalProperties' must be false")
    const names = Object.keys((properties as object | undefined) ?? {})
    if (names.some((name) => !(required as string[] | undefined)?.includes(name)))
      reject("'required' must list all keys")
  }
  for (const value of Object.values(schema)) checkStrict(value)
}

type SentLine = { n: number; text: string }
type Claims = Record<'overview' | 'takeaways' | 'actions', object[]>

/** Cites lines word for word, and merges parts by putting them together. */
export function citingModel(messages: Message[]): Claims {
  const input = JSON.parse(messages.find(({ role }) => role === 'user')!.content) as {
    lines?: SentLine[]
    parts?: Claims[]
  }
  if (input.parts)
    return {
      overview: input.parts.flatMap(({ overview }) => overview),
      takeaways: input.parts.flatMap(({ takeaways }) => takeaways),
      actions: input.parts.flatMap(({ actions }) => actions),
    }
  const long = input.lines!.filter(({ text }) => text.split(' ').length >= 3)
  const claim = ({ n, text }: SentLine) => ({
    text: `They say: ${text.slice(0, 200)}`,
    lines: [n],
    quote: text.slice(0, 120),
  })
  return {
    overview: long.slice(0, 1).map(claim),
    takeaways: long.slice(1, 3).map(claim),
    actions: long.slice(3, 4).map((line) => ({ ...claim(line), owner: 'client', due: null })),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '20' } : {}) }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof ApiError) return sendJson(response, error.status, { error: error.body })
  sendJson(response, 400, { error: { message: String(error), type: 'invalid_request_error', param: null, code: null } })
}
