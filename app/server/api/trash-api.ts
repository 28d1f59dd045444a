import { z } from 'zod'
import { historyOf, recordKinds, trash } from '#modules/core/trash.ts'
import { operation } from '#tenants/api/operation.ts'
import { paged, Paging } from '#tenants/api/cursor.ts'

const time = z.iso.datetime()

const TrashedOut = z.object({
  kind: z.string(),
  id: z.int(),
  title: z.string(),
  deletedAt: time,
  erasedAt: time.describe('When it is erased for good'),
})
const EntryOut = z.object({
  id: z.int(),
  action: z.enum(['created', 'changed', 'deleted', 'restored']),
  by: z.object({ id: z.int(), name: z.string() }).nullable().describe('null: nobody, a job of the house'),
  at: time,
  changes: z.array(z.object({ field: z.string(), label: z.string(), from: z.unknown(), to: z.unknown() })),
})

/** The trash, and the history of each kind of record. */
export const recordOperations = [
  operation({
    method: 'get',
    path: '/trash',
    summary: 'What lies in the trash',
    description: 'Latest first. Each kind is restored by a call of its own.',
    tags: ['Trash'],
    query: Paging,
    answers: { 200: z.array(TrashedOut) },
    handle: async (ctx, { query, sent }) => {
      const page = await paged(ctx, sent, {
        path: '/api/trash',
        query,
        fetch: (rows, after) => trash(ctx, { rows, after }),
        place: ({ deletedAt, place }) => ({ at: deletedAt.toISOString(), id: place }),
      })
      return page.map(({ kind, id, title, deletedAt, erasedAt }) => ({ kind, id, title, deletedAt, erasedAt }))
    },
  }),
  ...recordKinds.map((kind) =>
    operation({
      method: 'get',
      path: `/history/${kind.kind}/{id}`,
      summary: `Who changed what of a ${kind.label.toLowerCase()}`,
      description:
        'Latest first, 50 unless a limit is sent. Values as the record has them. Also of a record in the trash.',
      tags: ['History'],
      query: Paging,
      answers: { 200: z.array(EntryOut) },
      find: (ctx, { id }) => historyOf(ctx, kind, id!, { rows: 0 }),
      handle: (ctx, { params, query, sent }) =>
        paged(ctx, sent, {
          path: `/api/history/${kind.kind}/${params.id!}`,
          query,
          usual: 50,
          fetch: async (rows, after) =>
            (await historyOf(ctx, kind, params.id!, { rows, before: after?.id ?? null })).entries,
          place: ({ at, id }) => ({ at: at.toISOString(), id }),
        }),
    }),
  ),
]
