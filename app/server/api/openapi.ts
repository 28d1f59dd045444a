import { z } from 'zod'
import { statusByCode } from '#app/lib/errors.ts'
import { FileAnswerOut, type Operation } from '#tenants/api/operation.ts'

const Failure = z.object({
  message: z.string().describe('A message that can be shown to users.'),
  code: z.enum(Object.keys(statusByCode) as [keyof typeof statusByCode, ...(keyof typeof statusByCode)[]]),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Only with 422.'),
  requestId: z.string(),
})

/** The OpenAPI 3.1 document of all operations, from the zod schemas that validate them. */
export function openApi(
  operations: Operation[],
  { title, origin, sessionCookie }: { title: string; origin: string; sessionCookie: string },
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = (paths[`/api${operation.path}`] ??= {})
    path[operation.method] = toOpenApiOperation(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: apiDescription },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Failure: toJsonSchema(Failure, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        apiKey: { type: 'http', scheme: 'bearer', description: keyDescription },
      },
    },
  }
}

const keyDescription =
  'A key of the page API Keys, in Settings: `Authorization: Bearer KEY`. It is shown once, and may do what was chosen there.'

const apiDescription = `JSON requests and responses, authenticated by the session cookie or an API key (\`Authorization: Bearer KEY\`).
A key gets 403 for what it may not do, and 429 with \`Retry-After\` after 600 requests in a minute.
Times are ISO 8601 in UTC; times in requests need \`Z\` or an offset.
Lists support pagination with \`?limit=1..500\` and \`?cursor=\`; the next page is in the \`Link\` header.
Without \`limit\` a list comes up to 1,000 rows, with the same \`Link\` when there are more (activities: 50).
A POST with an \`Idempotency-Key\` can be retried for 24 hours: it returns the first success again.
Every error is a \`Failure\`; its \`requestId\` equals the \`X-Request-Id\` header.`

function toOpenApiOperation(operation: Operation): object {
  const failures = [
    ...(operation.access === 'public' ? [] : [401, 403]),
    ...(operation.path.includes('{') ? [404] : []),
    ...(operation.method === 'get' ? [] : [400, 413, 415]),
    ...(operation.body || operation.query ? [422] : []),
    ...('refusals' in operation ? (operation.refusals ?? []) : []),
  ]
  return {
    operationId: operation.method + toPascalCase(operation.path),
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.tags ? { tags: operation.tags } : {}),
    security: toSecurity(operation),
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
    ...requestBody(operation),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, schema]) => [
          status,
          {
            description: operation.summary,
            ...(schema ? { content: responseContent(schema) } : {}),
          },
        ]),
      ),
      ...Object.fromEntries(failures.map((status) => [status, failureResponse])),
      // 405, 409, 421, 429 and the errors that any call can return.
      default: failureResponse,
    },
  }
}

/** An administrator's operations take no keys, nor do those that need a session. */
function toSecurity(operation: Operation): object[] {
  if (operation.access === 'public') return []
  return operation.access === 'admin' || operation.sessionOnly ? [{ session: [] }] : [{ session: [] }, { apiKey: [] }]
}

const bytes = { type: 'string', format: 'binary' }

const responseContent = (schema: z.ZodType): object =>
  schema === FileAnswerOut
    ? { 'application/octet-stream': { schema: bytes } }
    : { 'application/json': { schema: toJsonSchema(schema, 'output') } }

function requestBody(operation: Operation): object {
  const content = 'content' in operation ? operation.content?.type : undefined
  const json = operation.body ? { 'application/json': { schema: bodySchema(operation.body) } } : {}
  // The file comes last: the fields before it are its description.
  const form = { type: 'object', properties: { file: bytes }, required: ['file'] }
  const other = content ? { [content]: { schema: content === 'multipart/form-data' ? form : bytes } } : {}
  return operation.body || content ? { requestBody: { required: false, content: { ...json, ...other } } } : {}
}

const failureResponse = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

/** Corrects `required`: zod lists every preprocessed field as required, even an optional one. */
function bodySchema(schema: z.ZodType): object {
  const described = toJsonSchema(schema, 'input')
  if (!(schema instanceof z.ZodObject)) return described
  const required = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : [name],
  )
  const { required: _required, ...rest } = described as { required?: string[] }
  return required.length ? { ...rest, required } : rest
}

function headerParameters(operation: Operation): object[] {
  if (operation.method !== 'post' || operation.access === 'public' || operation.callsVendor) return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeating the key returns the first result again, for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ]
}

const toPascalCase = (path: string): string =>
  path.replaceAll(/[/{}_-]+([a-zA-Z0-9]?)/g, (_match, letter: string) => letter.toUpperCase())

function pathParameters(operation: Operation): object[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  }))
}

function queryParameters(operation: Operation): object[] {
  if (!operation.query) return []
  const { properties = {}, required = [] } = toJsonSchema(operation.query, 'input') as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
