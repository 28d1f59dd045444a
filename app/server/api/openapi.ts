import { z } from 'zod'
import { statusOf } from '#app/lib/errors.ts'
import type { Operation } from '#tenants/api/operation.ts'

const Failure = z.object({
  message: z.string().describe('A sentence that a screen can show.'),
  code: z.enum(Object.keys(statusOf) as [keyof typeof statusOf, ...(keyof typeof statusOf)[]]),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Only with 422.'),
  requestId: z.string(),
})

/** OpenAPI 3.1 of all calls, from the schemas that check them. Every schema is plain JSON Schema 2020-12. */
export function openApi(operations: Operation[], { title, origin }: { title: string; origin: string }): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = (paths[`/api${operation.path}`] ??= {})
    path[operation.method] = describe(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: description },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Failure: schemaOf(Failure, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
    },
  }
}

const description = `JSON in and out, the session cookie for authentication. Times are ISO 8601 in UTC; a time that is sent carries \`Z\` or an offset.
Lists page on request with \`?limit=1..500\` and \`?cursor=\`; the next page stands in the \`Link\` header. \`Idempotency-Key\` on a POST
answers a retry with the first success for 24 hours. Every failure is a \`Failure\`; its \`requestId\` is the \`X-Request-Id\` header's.`

function describe(operation: Operation): object {
  const failures = [
    ...(operation.access === 'public' ? [] : [401, 403]),
    ...(operation.path.includes('{') ? [404] : []),
    ...(operation.method === 'get' ? [] : [400, 413, 415]),
    ...(operation.body || operation.query ? [422] : []),
  ]
  return {
    operationId: `${operation.method}${operation.path.replaceAll(/[/{}_-]+([a-zA-Z0-9]?)/g, (_all, letter: string) => letter.toUpperCase())}`,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.tags ? { tags: operation.tags } : {}),
    security: operation.access === 'public' ? [] : [{ session: [] }],
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
    ...(operation.body
      ? { requestBody: { required: false, content: { 'application/json': { schema: bodySchema(operation.body) } } } }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, schema]) => [
          status,
          {
            description: operation.summary,
            ...(schema ? { content: { 'application/json': { schema: schemaOf(schema, 'output') } } } : {}),
          },
        ]),
      ),
      ...Object.fromEntries(failures.map((status) => [status, refused])),
      // 405, 409, 421, 429 and what the rules for every call say.
      default: refused,
    },
  }
}

const refused = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

/** Zod takes every field that is read through a preprocessing for a required one; what is required is what can't be left out. */
function bodySchema(schema: z.ZodType): object {
  const described = schemaOf(schema, 'input')
  if (!(schema instanceof z.ZodObject)) return described
  const required = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : [name],
  )
  const { required: _all, ...rest } = described as { required?: string[] }
  return required.length ? { ...rest, required } : rest
}

function headerParameters(operation: Operation): object[] {
  if (operation.method !== 'post' || operation.access === 'public') return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key again gets the first answer again, for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ]
}

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
  const { properties = {}, required = [] } = schemaOf(operation.query, 'input') as {
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

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
