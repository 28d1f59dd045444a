import { expect, test } from 'vitest'
import { readRows } from './read-rows.ts'
import type { ExportedTable } from './tables.ts'

const table: ExportedTable = {
  name: 'client',
  columns: [{ name: 'id', type: 'bigint', select: 'r.id', load: 'r.id' }],
  where: 'true',
  isOnlyToRead: false,
  reason: null,
  hasBytes: false,
}

/** Reads `count` rows of so many characters. Returns the parts, and how many rows were asked for. */
async function read(count: number, length: number, hasBytes = false): Promise<{ parts: string[]; limits: number[] }> {
  const limits: number[] = []
  const query = async <Row extends object>({ values = [] }: { values?: unknown[] }): Promise<Row[]> => {
    const [, after, limit] = values as number[]
    limits.push(limit!)
    const rows = Array.from({ length: Math.max(0, Math.min(limit!, count - after!)) }, (_, index) => {
      const id = after! + index + 1
      return { id, line: `${id}`.padEnd(length) }
    })
    return rows as unknown as Row[]
  }
  const parts: string[] = []
  for await (const part of readRows({ coachId: 1, query }, { ...table, hasBytes }, () => {})) parts.push(part)
  return { parts, limits }
}

test.each([
  ['small', 10_000, 100],
  ['large', 1_000, 40_000],
])('rows that are %s are read once each, in order, at most 2 MB at a time', async (_size, count, length) => {
  const { parts, limits } = await read(count, length)
  const ids = parts.join('').trimEnd().split('\n').map(Number)
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(2.1 * 1024 ** 2)
  expect(limits.length).toBeLessThan(count / 5)
})

test('rows with files are read four at a time', async () => {
  const { limits } = await read(10, 100, true)
  expect(limits).toEqual([4, 4, 4])
})
