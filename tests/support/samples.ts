import { z } from 'zod'
import type { Operation } from '#tenants/operation.ts'

const candidates: unknown[] = [
  'Example', 'example@example.com', 'UTC', '#112233', 'https://example.com/a.png', '2026-03-10T12:00:00Z', 'example-name', '10.00', 1, 0, true, [], {},
]

/** A body that `operation` takes, found by trying: each field gets the first value that its own schema accepts. */
export function bodyFor(operation: Operation): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(operation.body).map(([name, schema]) => [name, valueFor(name, schema)]).filter(([, value]) => value !== undefined))
}

/** The list that holds what a field such as `stageId` names, wherever its address begins: '/pipeline/stages'. */
export function listOf(field: string, operations: Operation[]): string | undefined {
  const list = `/${field.replace(/Id$/, '')}s`
  return operations.find(({ method, path }) => method === 'get' && path.endsWith(list) && !path.includes('{'))?.path
}

/** What a call that puts a list into a new order takes: all of it. Undefined for every other call. */
export function orderOf(operation: Operation, records: { id: number }[]): Record<string, unknown> | undefined {
  if (!operation.path.endsWith('/reorder')) return undefined
  return Object.fromEntries(fieldsOf(operation.body).map(([name]) => [name, records.map(({ id }, order) => ({ id, order }))]))
}

/** The names of a body's fields that hold ids of other records. */
export function idFieldsOf(operation: Operation): string[] {
  return fieldsOf(operation.body).map(([name]) => name).filter((name) => /Ids?$/.test(name))
}

export function fieldsOf(schema: z.ZodType | undefined): [string, z.ZodType][] {
  return schema instanceof z.ZodObject ? (Object.entries(schema.shape) as [string, z.ZodType][]) : []
}

function valueFor(name: string, schema: z.ZodType): unknown {
  // An id is left out where it may be: the ones that are sent are those under test.
  if (/Ids?$/.test(name) && schema.safeParse(undefined).success) return undefined
  const options = (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { enum?: unknown[] }).enum ?? []
  const tried = /Ids?$/.test(name) ? [1, ...candidates] : candidates
  return [...options, ...tried].find((candidate) => schema.safeParse(candidate).success)
}
