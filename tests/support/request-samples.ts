import { z } from 'zod'
import type { Operation } from '#tenants/api/operation.ts'

/** A text that nothing was called before: some names are given once. */
const aText = (): string => `Example ${++made}`
let made = 0

const candidates: unknown[] = [
  'example@example.com',
  'UTC',
  '#112233',
  'https://example.com/a.png',
  '2026-03-10T12:00:00Z',
  'example-name',
  '10.00',
  1,
  0,
  true,
  [],
  {},
]

/**
 * A body that `operation` takes, with what is `sent` in it, found by trying: each field gets the first value that its own
 * schema accepts. Ids that may be left out are, unless the whole asks for one of them.
 */
export function bodyFor(operation: Operation, sent: Record<string, unknown> = {}): Record<string, unknown> {
  const found = Object.fromEntries(
    fieldsOf(operation.body)
      .map(([name, schema]) => [name, valueFor(name, schema)])
      .filter(([, value]) => value !== undefined),
  )
  const body: Record<string, unknown> = { ...found, ...sent }
  const issues = operation.body?.safeParse(body).error?.issues ?? []
  for (const name of idFieldsOf(operation))
    if (!(name in body) && issues.some(({ path }) => path[0] === name)) body[name] = 1
  return body
}

/** The list that holds what a field such as `stageId` names, wherever its address begins: '/pipeline/stages'. */
export function listOf(field: string, operations: Operation[]): string | undefined {
  const list = `/${field.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}s`
  return operations.find(({ method, path }) => method === 'get' && path.endsWith(list) && !path.includes('{'))?.path
}

/** What a call that puts a list into a new order takes: all of it. Undefined for every other call. */
export function orderOf(operation: Operation, records: { id: number }[]): Record<string, unknown> | undefined {
  if (!operation.path.endsWith('/reorder')) return undefined
  return Object.fromEntries(
    fieldsOf(operation.body).map(([name]) => [name, records.map(({ id }, order) => ({ id, order }))]),
  )
}

/** The names of a body's fields that hold ids of other records. */
export function idFieldsOf(operation: Operation): string[] {
  return fieldsOf(operation.body)
    .map(([name]) => name)
    .filter((name) => /Ids?$/.test(name))
}

export function fieldsOf(schema: z.ZodType | undefined): [string, z.ZodType][] {
  return schema instanceof z.ZodObject ? (Object.entries(schema.shape) as [string, z.ZodType][]) : []
}

function valueFor(name: string, schema: z.ZodType): unknown {
  // An id is left out where it may be: the ones that are sent are those under test.
  if (/Ids?$/.test(name) && schema.safeParse(undefined).success) return undefined
  const options = (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { enum?: unknown[] }).enum ?? []
  // What ends does so after it began.
  const tried = [
    ...(/Ids?$/.test(name) ? [1] : /^end[A-Z]/.test(name) ? ['2026-03-10T13:00:00Z'] : []),
    aText(),
    ...candidates,
  ]
  return [...options, ...tried].find((candidate) => schema.safeParse(candidate).success)
}
