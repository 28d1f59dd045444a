import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { termOf } from '#app/lib/search-term.ts'
import { figures, search } from '#modules/registry.ts'
import { operation } from '#tenants/api/operation.ts'

const Stats = z.object({
  totalClients: z.int(),
  sessionsThisMonth: z.int(),
  monthlyRevenue: z.int().describe("Cents, of the coach's month in the coach's time zone"),
  activeProspects: z.int(),
})

const Hits = z.array(
  z.object({
    type: z.string(),
    id: z.int(),
    title: z.string(),
    subtitle: z.string().nullable(),
    to: z.string().describe('The page that shows it'),
  }),
)

/** What is asked across all modules: the figures of the dashboard, and the search. */
export const practiceOperations = [
  operation({
    method: 'get',
    path: '/search',
    summary: 'Find clients, prospects and whatever else modules offer',
    description:
      'At most 8, for a term of more than 2 characters; case and accents do not matter. All or nothing: when one source fails, it answers 503.',
    tags: ['Search'],
    query: z.object({
      q: z.string().optional().describe('Part of a name or an e-mail address.'),
      in: z.enum(['names', 'words'], 'Choose names or words').optional().describe('`words`: of what is noted instead.'),
    }),
    answers: { 200: Hits },
    handle: async (ctx, { query }) => {
      const { results, failed } = await search(ctx, termOf(query.q), query.in)
      if (failed) throw new AppError('unavailable', 'The search could not look everywhere. Please try again.')
      return results
    },
  }),
  operation({
    method: 'get',
    path: '/dashboard/stats',
    summary: 'The figures of the practice',
    tags: ['Dashboard'],
    answers: { 200: Stats },
    handle: figures,
  }),
]
