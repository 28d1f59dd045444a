import { z } from 'zod'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { paged, Paging } from '#tenants/api/cursor.ts'
import { NewCoach, NewSubscription } from './forms.ts'
import {
  addCoach,
  changePlan,
  coachesOf,
  coachOf,
  coachRecord,
  platformStats,
  removeCoach,
} from './services/coaches.ts'

const Plan = z.enum(['free', 'pro', 'premium'])
const CoachOut = z.object({
  id: z.int(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  businessName: z.string().nullable(),
  subscriptionStatus: Plan,
  createdAt: z.string(),
})
const StatsOut = z.object({
  totalCoaches: z.int(),
  activeCoaches: z.int(),
  monthlyRevenue: z.int().describe('cents'),
  totalClients: z.int(),
  subscriptionBreakdown: z.object({ free: z.int(), pro: z.int(), premium: z.int() }),
})
const tags = ['Administration']

export const operations: Operation[] = [
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/stats',
    summary: 'The figures of the platform',
    tags,
    answers: { 200: StatsOut },
    handle: (ctx) => platformStats(ctx),
  }),
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/coaches',
    summary: 'All coaches, newest first',
    tags,
    query: Paging,
    answers: { 200: z.array(CoachOut) },
    handle: async (ctx, { query, sent }) => {
      const page = await paged(ctx, sent, {
        path: '/api/admin/coaches',
        query,
        fetch: (rows, after) => coachesOf(ctx, { rows, after }),
        place: (coach) => ({ at: coach.createdAt, id: coach.id }),
      })
      return page.map(coachRecord)
    },
  }),
  operation({
    access: 'admin',
    method: 'post',
    path: '/admin/coaches',
    summary: 'Add a coach and send the invitation',
    tags,
    body: NewCoach,
    answers: { 201: CoachOut },
    handle: async (ctx, { body }) => coachRecord(await addCoach(ctx, body)),
  }),
  operation({
    access: 'admin',
    method: 'put',
    path: '/admin/coaches/{id}/subscription',
    summary: 'Put a coach on a plan',
    tags,
    body: NewSubscription,
    answers: { 200: CoachOut },
    find: (ctx, { id }) => coachOf(ctx, id!),
    handle: async (ctx, { params, body }) => coachRecord(await changePlan(ctx, params.id!, body.status)),
  }),
  operation({
    access: 'admin',
    method: 'delete',
    path: '/admin/coaches/{id}',
    summary: 'Remove a coach; the data is erased after 30 days',
    tags,
    answers: { 204: null },
    find: (ctx, { id }) => coachOf(ctx, id!),
    handle: (ctx, { params }) => removeCoach(ctx, params.id!),
  }),
]
