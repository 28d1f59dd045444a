import { z } from 'zod'
import { ClientOut } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { paginate, PageParams } from '#tenants/api/cursor.ts'
import { NewProspect, NewStage, ProspectEdit, StageEdit, StageOrder } from './forms.ts'
import { listActivities } from './queries/activities.ts'
import { getProspect, listProspects } from './queries/prospects.ts'
import { getStage, listStages } from './queries/stages.ts'
import { PipelineActivityOut, ProspectOut, StageOut } from './output.ts'
import { convertProspect } from './services/conversion.ts'
import { addProspect, deleteProspect, editProspect, restoreProspect } from './services/prospects.ts'
import { addStage, deleteStage, editStage, reorderStages, restoreStage } from './services/stages.ts'

const stages = { tags: ['Pipeline'] }
const prospects = { tags: ['Prospects'] }

export const operations = [
  operation({
    ...stages,
    method: 'get',
    path: '/pipeline/stages',
    summary: 'List the stages',
    description: 'By `order`.',
    query: PageParams,
    answers: { 200: z.array(StageOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/pipeline/stages',
        query,
        fetch: async (rows, after) =>
          (await listStages(ctx)).filter(({ order }) => !after || order > Number(after.at)).slice(0, rows ?? undefined),
        toCursor: ({ order, id }) => ({ at: String(order), id }),
      }),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages',
    summary: 'Add a stage',
    description: 'Without an `order` it becomes the last one; an order that is taken shifts the others.',
    body: NewStage,
    answers: { 201: StageOut },
    handle: (ctx, { body }) => addStage(ctx, body),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages/reorder',
    summary: 'Reorder the stages',
    description: 'Send every stage once, and no order twice.',
    body: StageOrder,
    answers: { 200: z.array(StageOut) },
    handle: (ctx, { body }) => reorderStages(ctx, body),
  }),
  operation({
    ...stages,
    method: 'get',
    path: '/pipeline/stages/{id}',
    summary: 'Get a stage',
    answers: { 200: StageOut },
    handle: (ctx, { params }) => getStage(ctx, params.id!),
  }),
  operation({
    ...stages,
    method: 'patch',
    path: '/pipeline/stages/{id}',
    summary: 'Change a stage',
    description: 'Changes only the fields that are sent; an order that is taken shifts the others.',
    body: StageEdit,
    answers: { 200: StageOut },
    find: (ctx, { id }) => getStage(ctx, id!),
    handle: (ctx, { params, body }) => editStage(ctx, params.id!, body),
  }),
  operation({
    ...stages,
    method: 'delete',
    path: '/pipeline/stages/{id}',
    summary: 'Move a stage to the trash',
    description: 'A stage with prospects needs `moveTo`. The last stage can’t be deleted (409).',
    query: z.object({
      moveTo: z.string().optional().describe('The stage to move its prospects to: an id or an alias.'),
    }),
    answers: { 204: null },
    find: (ctx, { id }) => getStage(ctx, id!),
    handle: (ctx, { params, query }) => deleteStage(ctx, params.id!, query),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages/{id}/restore',
    summary: 'Restore a stage from the trash',
    description: 'Prospects that its deletion moved return, unless they were moved since.',
    answers: { 200: StageOut },
    handle: (ctx, { params }) => restoreStage(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects',
    summary: 'List prospects',
    description: 'Newest first, without those in the trash and those converted to clients.',
    query: PageParams,
    answers: { 200: z.array(ProspectOut) },
    handle: (ctx, { query, response }) =>
      paginate(ctx, response, {
        path: '/api/prospects',
        query,
        fetch: (rows, after) => listProspects(ctx, { rows, after }),
        toCursor: (prospect) => ({ at: prospect.createdAt, id: prospect.id }),
      }),
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects',
    summary: 'Add a prospect',
    description: 'It is added at the end of its stage.',
    body: NewProspect,
    answers: { 201: ProspectOut },
    handle: (ctx, { body }) => addProspect(ctx, body),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects/{id}',
    summary: 'Get a prospect',
    answers: { 200: ProspectOut },
    handle: (ctx, { params }) => getProspect(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'patch',
    path: '/prospects/{id}',
    summary: 'Change or move a prospect',
    description:
      'Changes only the fields that are sent; null clears an optional one. `stageId` moves it to the end of that ' +
      'stage, or to `position` in it; `position` alone moves it within its stage.',
    body: ProspectEdit,
    answers: { 200: ProspectOut },
    find: (ctx, { id }) => getProspect(ctx, id!),
    handle: (ctx, { params, body }) => editProspect(ctx, params.id!, body),
  }),
  operation({
    ...prospects,
    method: 'delete',
    path: '/prospects/{id}',
    summary: 'Move a prospect to the trash',
    answers: { 204: null },
    handle: (ctx, { params }) => deleteProspect(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects/{id}/restore',
    summary: 'Restore a prospect from the trash',
    answers: { 200: ProspectOut },
    handle: (ctx, { params }) => restoreProspect(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects/{id}/convert-to-client',
    summary: 'Convert a prospect to a client',
    description:
      'A second call returns the same client. Needs an email address, and a plan with room for one more client.',
    answers: { 200: z.object({ client: ClientOut }) },
    handle: async (ctx, { params }) => ({ client: await convertProspect(ctx, params.id!) }),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects/{id}/activities',
    summary: 'List the activity of a prospect',
    description: 'Newest first.',
    query: PageParams,
    answers: { 200: z.array(PipelineActivityOut) },
    find: (ctx, { id }) => getProspect(ctx, id!),
    handle: (ctx, { params, query, response }) =>
      paginate(ctx, response, {
        path: `/api/prospects/${params.id!}/activities`,
        query,
        fetch: (rows, after) => listActivities(ctx, params.id!, { rows, after }),
        toCursor: (activity) => ({ at: activity.createdAt, id: activity.id }),
      }),
  }),
]
