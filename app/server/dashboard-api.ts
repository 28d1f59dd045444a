import { z } from 'zod'
import { figures } from '#modules/registry.ts'
import { operation } from '#tenants/operation.ts'

const Stats = z.object({
  totalClients: z.int(),
  sessionsThisMonth: z.int(),
  monthlyRevenue: z.int().describe("Cents, of the coach's month in the coach's time zone"),
  activeProspects: z.int(),
})

/** The figures of the dashboard, from whichever modules are there. */
export const dashboardOperations = [
  operation({
    method: 'get',
    path: '/dashboard/stats',
    summary: 'The figures of the practice',
    tags: ['Dashboard'],
    answers: { 200: Stats },
    handle: figures,
  }),
]
