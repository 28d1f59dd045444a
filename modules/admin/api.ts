import { operation, type Operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { CoachFilters, CoachModulesChange, NewCoach, PlanModulesChange, SubscriptionChange } from './forms.ts'
import { AuditOut, CoachModulesOut, CoachOut, PlanModulesOut, StatsOut, toCoachRecord } from './output.ts'
import { listAuditLog } from './queries/audit-log.ts'
import { getCoach, getRemovedCoach, listCoachRecords } from './queries/coaches.ts'
import { getPlatformStats } from './queries/stats.ts'
import {
  changePlan,
  createCoach,
  deleteCoach,
  resendInvitation,
  restoreCoach,
  signOutCoach,
} from './services/coaches.ts'
import { listCoachModules, listPlanModules, setCoachModules, setPlanModules } from './services/modules.ts'

const tag = 'Administration'

export const operations: Operation[] = [
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/stats',
    summary: 'Get statistics of the platform',
    tags: [tag],
    answers: { 200: StatsOut },
    handle: (ctx) => getPlatformStats(ctx),
  }),
  ...resource({
    access: 'admin',
    path: '/admin/coaches',
    tag,
    noun: 'coach',
    output: CoachOut,
    list: {
      description: 'Removed coaches are listed only with `state=removed`.',
      query: CoachFilters,
      run: (ctx, page, filters) => listCoachRecords(ctx, { ...page, ...filters }),
    },
    create: {
      summary: 'Add a coach and send an invitation',
      body: NewCoach,
      run: async (ctx, input) => toCoachRecord(await createCoach(ctx, input)),
    },
    delete: {
      summary: 'Remove a coach',
      description: 'The coach is signed out at once. The data is erased after 30 days.',
      run: deleteCoach,
    },
  }),
  operation({
    access: 'admin',
    method: 'put',
    path: '/admin/coaches/{id}/subscription',
    summary: 'Change the plan of a coach',
    tags: [tag],
    body: SubscriptionChange,
    answers: { 200: CoachOut },
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: async (ctx, { params, body }) => toCoachRecord(await changePlan(ctx, params.id!, body.status)),
  }),
  operation({
    access: 'admin',
    method: 'post',
    path: '/admin/coaches/{id}/invitation',
    summary: 'Send the invitation of a coach again',
    description: 'Only until the coach has accepted one.',
    tags: [tag],
    answers: { 204: null },
    refusals: [409, 429],
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: (ctx, { params }) => resendInvitation(ctx, params.id!),
  }),
  operation({
    access: 'admin',
    method: 'post',
    path: '/admin/coaches/{id}/restore',
    summary: 'Restore a removed coach',
    description: 'For 30 days after the removal.',
    tags: [tag],
    answers: { 200: CoachOut },
    refusals: [404],
    find: (ctx, { id }) => getRemovedCoach(ctx, id!),
    handle: async (ctx, { params }) => toCoachRecord(await restoreCoach(ctx, params.id!)),
  }),
  operation({
    access: 'admin',
    method: 'post',
    path: '/admin/coaches/{id}/sign-out',
    summary: 'Sign a coach out of all devices',
    description: 'Revokes all API keys of the coach, too.',
    tags: [tag],
    answers: { 204: null },
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: (ctx, { params }) => signOutCoach(ctx, params.id!),
  }),
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/modules',
    summary: 'List the modules of the plans',
    tags: [tag],
    answers: { 200: PlanModulesOut },
    handle: (ctx) => listPlanModules(ctx),
  }),
  operation({
    access: 'admin',
    method: 'patch',
    path: '/admin/modules',
    summary: 'Switch modules of the plans',
    description: 'Off, a module has no pages, calls, jobs, emails or search results; its data is kept.',
    tags: [tag],
    body: PlanModulesChange,
    answers: { 200: PlanModulesOut },
    handle: (ctx, { body }) => setPlanModules(ctx, body),
  }),
  operation({
    access: 'admin',
    method: 'get',
    path: '/admin/coaches/{id}/modules',
    summary: 'List the modules of a coach',
    tags: [tag],
    answers: { 200: CoachModulesOut },
    handle: (ctx, { params }) => listCoachModules(ctx, params.id!),
  }),
  operation({
    access: 'admin',
    method: 'patch',
    path: '/admin/coaches/{id}/modules',
    summary: 'Switch modules of a coach',
    description: 'What is set here wins over the plan.',
    tags: [tag],
    body: CoachModulesChange,
    answers: { 200: CoachModulesOut },
    find: (ctx, { id }) => getCoach(ctx, id!),
    handle: (ctx, { params, body }) => setCoachModules(ctx, params.id!, body),
  }),
  listOperation({
    access: 'admin',
    path: '/admin/audit-log',
    summary: 'List what administrators did',
    tags: [tag],
    output: AuditOut,
    defaultLimit: 50,
    run: listAuditLog,
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
]
