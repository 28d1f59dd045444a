import { z } from 'zod'
import { ClientOut } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { paged, Paging } from '#tenants/api/cursor.ts'
import { NewProspect, NewStage, ProspectEdit, StageEdit, StageOrder } from './forms.ts'
import { activitiesOf } from './queries/activities.ts'
import { prospectOf, prospectsNewestFirst } from './queries/prospects.ts'
import { stageOf, stagesInOrder } from './queries/stages.ts'
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
    description: 'In their order.',
    query: Paging,
    answers: { 200: z.array(StageOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/pipeline/stages',
        query,
        fetch: async (rows, after) =>
          (await stagesInOrder(ctx))
            .filter(({ order }) => !after || order > Number(after.at))
            .slice(0, rows ?? undefined),
        place: ({ order, id }) => ({ at: String(order), id }),
      }),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages',
    summary: 'Add a stage',
    description: 'Without an `order` it becomes the last one; an order that is taken shifts the rest.',
    body: NewStage,
    answers: { 201: StageOut },
    handle: (ctx, { body }) => addStage(ctx, body),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages/reorder',
    summary: 'Put the stages into a new order',
    description: 'Send all of them, each once, no order twice.',
    body: StageOrder,
    answers: { 200: z.array(StageOut) },
    handle: (ctx, { body }) => reorderStages(ctx, body),
  }),
  operation({
    ...stages,
    method: 'get',
    path: '/pipeline/stages/{id}',
    summary: 'A stage',
    answers: { 200: StageOut },
    handle: (ctx, { params }) => stageOf(ctx, params.id!),
  }),
  operation({
    ...stages,
    method: 'patch',
    path: '/pipeline/stages/{id}',
    summary: 'Change a stage',
    description: 'Only the fields that are sent change; an order that is taken shifts the rest.',
    body: StageEdit,
    answers: { 200: StageOut },
    find: (ctx, { id }) => stageOf(ctx, id!),
    handle: (ctx, { params, body }) => editStage(ctx, params.id!, body),
  }),
  operation({
    ...stages,
    method: 'delete',
    path: '/pipeline/stages/{id}',
    summary: 'Move a stage to the trash',
    description: 'One that holds prospects needs `moveTo`; the last stage can not go (409).',
    query: z.object({
      moveTo: z.string().optional().describe('The stage that its prospects move to: an id or an alias.'),
    }),
    answers: { 204: null },
    find: (ctx, { id }) => stageOf(ctx, id!),
    handle: (ctx, { params, query }) => deleteStage(ctx, params.id!, query),
  }),
  operation({
    ...stages,
    method: 'post',
    path: '/pipeline/stages/{id}/restore',
    summary: 'Take a stage out of the trash',
    description: 'The prospects that its deletion moved come back, unless they were moved since.',
    answers: { 200: StageOut },
    handle: (ctx, { params }) => restoreStage(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects',
    summary: 'List prospects',
    description: 'Newest first, without those in the trash and those that are clients by now.',
    query: Paging,
    answers: { 200: z.array(ProspectOut) },
    handle: (ctx, { query, sent }) =>
      paged(ctx, sent, {
        path: '/api/prospects',
        query,
        fetch: (rows, after) => prospectsNewestFirst(ctx, { rows, after }),
        place: (prospect) => ({ at: prospect.createdAt, id: prospect.id }),
      }),
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects',
    summary: 'Add a prospect',
    description: 'It becomes the last of its stage.',
    body: NewProspect,
    answers: { 201: ProspectOut },
    handle: (ctx, { body }) => addProspect(ctx, body),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects/{id}',
    summary: 'A prospect',
    answers: { 200: ProspectOut },
    handle: (ctx, { params }) => prospectOf(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'patch',
    path: '/prospects/{id}',
    summary: 'Change or move a prospect',
    description:
      'Only the fields that are sent change; null empties an optional one. `stageId` moves it to the end of that stage, or to `position` in it; `position` alone moves it inside its stage.',
    body: ProspectEdit,
    answers: { 200: ProspectOut },
    find: (ctx, { id }) => prospectOf(ctx, id!),
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
    summary: 'Take a prospect out of the trash',
    answers: { 200: ProspectOut },
    handle: (ctx, { params }) => restoreProspect(ctx, params.id!),
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects/{id}/convert-to-client',
    summary: 'Convert a prospect to a client',
    description: 'Once: again it answers the same client. Needs an email address, and room on the plan.',
    answers: { 200: z.object({ client: ClientOut }) },
    handle: async (ctx, { params }) => ({ client: await convertProspect(ctx, params.id!) }),
  }),
  operation({
    ...prospects,
    method: 'get',
    path: '/prospects/{id}/activities',
    summary: 'What happened with a prospect',
    description: 'Newest first.',
    query: Paging,
    answers: { 200: z.array(PipelineActivityOut) },
    find: (ctx, { id }) => prospectOf(ctx, id!),
    handle: (ctx, { params, query, sent }) =>
      paged(ctx, sent, {
        path: `/api/prospects/${params.id!}/activities`,
        query,
        fetch: (rows, after) => activitiesOf(ctx, params.id!, { rows, after }),
        place: (activity) => ({ at: activity.createdAt, id: activity.id }),
      }),
  }),
]
