import { z } from 'zod'
import type { Operation } from '#tenants/api/operation.ts'

/** A text that is used once, because some names are unique. */
const uniqueText = (): string => `Example ${++createdTexts}`
let createdTexts = 0

const sampleValues: unknown[] = [
  'example@example.com',
  'UTC',
  '#112233',
  'https://example.com/a.png',
  '2026-03-10T12:00:00Z',
  '2026-03-10',
  'example-name',
  'coaching.example.com',
  'crm.no-contact',
  '10.00',
  1,
  0,
  true,
  [],
  {},
]

/**
 * Creates a body that `operation` accepts: each field gets the first value that its schema accepts. Leaves optional ids
 * out, unless the schema as a whole needs one of them.
 */
export function createSampleBody(
  operation: Operation,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> {
  const samples = Object.fromEntries(
    listFields(operation.body)
      .map(([name, schema]) => [name, createSampleValue(name, schema)])
      .filter(([, value]) => value !== undefined),
  )
  const body: Record<string, unknown> = { ...samples, ...overrides }
  const issues = operation.body?.safeParse(body).error?.issues ?? []
  for (const name of listIdFields(operation))
    if (!(name in body) && issues.some(({ path }) => path[0] === name)) body[name] = 1
  return body
}

/** Finds the path that lists what a field such as `stageId` names: '/pipeline/stages'. */
export function findListPath(field: string, operations: Operation[]): string | undefined {
  const list = `/${field.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}s`
  return operations.find(({ method, path }) => method === 'get' && path.endsWith(list) && !path.includes('{'))?.path
}

/** Creates the body of a reorder call, with all records. Returns undefined for every other call. */
export function createReorderBody(
  operation: Operation,
  records: { id: number }[],
): Record<string, unknown> | undefined {
  if (!operation.path.endsWith('/reorder')) return undefined
  return Object.fromEntries(
    listFields(operation.body).map(([name]) => [name, records.map(({ id }, order) => ({ id, order }))]),
  )
}

/** Lists the body's fields that hold ids of other records. */
export function listIdFields(operation: Operation): string[] {
  return listFields(operation.body)
    .map(([name]) => name)
    .filter((name) => /Ids?$/.test(name))
}

export function listFields(schema: z.ZodType | undefined): [string, z.ZodType][] {
  return schema instanceof z.ZodObject ? (Object.entries(schema.shape) as [string, z.ZodType][]) : []
}

function createSampleValue(name: string, schema: z.ZodType): unknown {
  // Leave optional ids out: a test sends the ones it is about.
  if (/Ids?$/.test(name) && schema.safeParse(undefined).success) return undefined
  const options = (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { enum?: unknown[] }).enum ?? []
  // An end must be after its start, and a target is another number than the start.
  const candidates = [
    ...(/Ids?$/.test(name)
      ? [1]
      : /^end[A-Z]/.test(name)
        ? ['2026-03-10T13:00:00Z']
        : name === 'target'
          ? ['20.00']
          : []),
    uniqueText(),
    ...sampleValues,
  ]
  return [...options, ...candidates, createSampleList(schema)].find((candidate) => schema.safeParse(candidate).success)
}

/** A list of one record, for a list that must not be empty. */
function createSampleList(schema: z.ZodType): unknown[] {
  const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined
  return [Object.fromEntries(listFields(element).map(([name, field]) => [name, createSampleValue(name, field)]))]
}
