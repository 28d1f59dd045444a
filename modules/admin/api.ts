import { z } from 'zod'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { NewCoach, SubscriptionChange } from './forms.ts'
import { CoachOut, StatsOut, toCoachRecord } from './output.ts'
import { getCoach, listCoaches } from './queries/coaches.ts'
import { getPlatformStats } from './queries/stats.ts'
import { changePlan, createCoach, removeCoach } from './services/coaches.ts'

const tags = ['Administration']

export const operations: Operation[] = [
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/stats',
    summary: 'Get statistics of the platform',
    tags,
    answers: { 200: StatsOut },
    handle: (ctx) => getPlatformStats(ctx),
  }),
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/coaches',
    summary: 'List coaches',
    tags,
    query: PageParams,
    answers: { 200: z.array(CoachOut) },
    handle: async (ctx, { query, response }) => {
      const coaches = await paginate(ctx, response, {
        path: '/api/admin/coaches',
        query,
        fetch: (rows, after) => listCoaches(ctx, { rows, after }),
        toCursor: (coach) => ({ at: coach.createdAt, id: coach.id }),
      })
      return coaches.map(toCoachRecord)
    },
  }),
  operation({
    access: 'admin',
    method: 'post',
    path: '/admin/coaches',
    summary: 'Add a coach and send an invitation',
    tags,
    body: NewCoach,
    answers: { 201: CoachOut },
    handle: async (ctx, { body }) => toCoachRecord(await createCoach(ctx, body)),
  }),
  operation({
    access: 'admin',
    method: 'put',
    path: '/admin/coaches/{id}/subscription',
    summary: 'Change the plan of a coach',
    tags,
    body: SubscriptionChange,
    answers: { 200: CoachOut },
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: async (ctx, { params, body }) => toCoachRecord(await changePlan(ctx, params.id!, body.status)),
  }),
  operation({
    access: 'admin',
    method: 'delete',
    path: '/admin/coaches/{id}',
    summary: 'Remove a coach',
    description: 'The coach is signed out at once. The data is erased after 30 days.',
    tags,
    answers: { 204: null },
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: (ctx, { params }) => removeCoach(ctx, params.id!),
  }),
]
