import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { parseSearchTerm } from '#app/lib/search.ts'
import { getCounts } from '#modules/core/counts.ts'
import { search } from '#modules/core/search.ts'
import { operation } from '#tenants/api/operation.ts'

const Stats = z.object({
  totalClients: z.int(),
  sessionsThisMonth: z.int(),
  monthlyRevenue: z.int().describe("Cents, for the current month in the coach's time zone"),
  activeProspects: z.int(),
})

const SearchHits = z.array(
  z.object({
    type: z.string(),
    id: z.int(),
    title: z.string(),
    subtitle: z.string().nullable(),
    to: z.string().describe('Path of the page that shows it'),
  }),
)

/** Calls that span all modules: the dashboard's counts and the search. */
export const dashboardOperations = [
  operation({
    method: 'get',
    path: '/search',
    permission: 'core:search:read',
    summary: 'Search clients, prospects and appointments',
    description:
      'Returns at most 8 results for a term of 3 or more characters, ignoring case and accents. ' +
      'Returns 503 when part of the search fails.',
    tags: ['Search'],
    query: z.object({
      q: z.string().optional().describe('Part of a name or an email address.'),
      in: z
        .enum(['names', 'content'], 'Choose names or content')
        .optional()
        .describe('`content`: search notes and other text instead of names.'),
    }),
    answers: { 200: SearchHits },
    handle: async (ctx, { query }) => {
      const { results, failed } = await search(ctx, parseSearchTerm(query.q), query.in)
      if (failed) throw new AppError('unavailable', 'Search is incomplete right now. Please try again.')
      return results
    },
  }),
  operation({
    method: 'get',
    path: '/dashboard/stats',
    permission: 'core:dashboard:read',
    summary: 'Get the dashboard counts',
    tags: ['Dashboard'],
    answers: { 200: Stats },
    handle: getCounts,
  }),
]
