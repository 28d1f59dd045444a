import { z } from 'zod'
import { getHistory } from '#modules/core/history.ts'
import type { RecordKind } from '#modules/core/manifest.ts'
import { listTrash } from '#modules/core/trash.ts'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'

const timestamp = z.iso.datetime()

const TrashItemOut = z.object({
  kind: z.string(),
  id: z.int(),
  title: z.string(),
  deletedAt: timestamp,
  erasedAt: timestamp.describe('When it is permanently deleted'),
})
const HistoryEntryOut = z.object({
  id: z.int(),
  action: z.enum(['created', 'changed', 'deleted', 'restored']),
  by: z.object({ id: z.int(), name: z.string() }).nullable().describe('null: a background job'),
  at: timestamp,
  changes: z.array(z.object({ field: z.string(), label: z.string(), from: z.unknown(), to: z.unknown() })),
})

export const trashOperations = [
  operation({
    method: 'get',
    path: '/trash',
    permission: 'core:trash:read',
    summary: 'List trash',
    description: 'Newest first. Each kind has its own call to restore a record.',
    tags: ['Trash'],
    query: PageParams,
    answers: { 200: z.array(TrashItemOut) },
    handle: async (ctx, { query, response }) => {
      const page = await paginate(ctx, response, {
        path: '/api/trash',
        query,
        fetch: (rows, after) => listTrash(ctx, { rows, after }),
        toCursor: ({ deletedAt, position }) => ({ at: deletedAt.toISOString(), id: position }),
      })
      return page.map(({ kind, id, title, deletedAt, erasedAt }) => ({ kind, id, title, deletedAt, erasedAt }))
    },
  }),
]

/** The change history of a kind of record. */
export const historyOperation = (kind: RecordKind): Operation =>
  operation({
    method: 'get',
    path: `/history/${kind.kind}/{id}`,
    summary: `Get change history of a ${kind.label.toLowerCase()}`,
    description:
      'Newest first, 50 by default. Values have the same format as in the record. Includes records in the trash.',
    tags: ['History'],
    query: PageParams,
    answers: { 200: z.array(HistoryEntryOut) },
    find: (ctx, { id }) => getHistory(ctx, kind, id!, { rows: 0 }),
    handle: (ctx, { params, query, response }) =>
      paginate(ctx, response, {
        path: `/api/history/${kind.kind}/${params.id!}`,
        query,
        defaultLimit: 50,
        fetch: async (rows, after) =>
          (await getHistory(ctx, kind, params.id!, { rows, before: after?.id ?? null })).entries,
        toCursor: ({ at, id }) => ({ at: at.toISOString(), id }),
      }),
  })
