import { z } from 'zod'
import { ClientOut } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { NewProspect, NewStage, ProspectEdit, StageEdit, StageOrder } from './forms.ts'
import { listActivities } from './queries/activities.ts'
import { getProspect, listProspects } from './queries/prospects.ts'
import { getStage, listStages } from './queries/stages.ts'
import { PipelineActivityOut, ProspectOut, StageOut } from './records.ts'
import { convertProspect } from './services/conversion.ts'
import { createProspect, deleteProspect, updateProspect, restoreProspect } from './services/prospects.ts'
import { createStage, deleteStage, updateStage, reorderStages, restoreStage } from './services/stages.ts'

const stages = { tags: ['Pipeline'] }
const prospects = { tags: ['Prospects'] }

export const operations = [
  listOperation({
    ...stages,
    path: '/pipeline/stages',
    summary: 'List stages',
    description: 'By `order`.',
    output: StageOut,
    run: async (ctx, { rows, after }) =>
      (await listStages(ctx)).filter(({ order }) => !after || order > Number(after.at)).slice(0, rows ?? undefined),
    toCursor: ({ order, id }) => ({ at: String(order), id }),
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
  ...resource({
    path: '/pipeline/stages',
    tag: 'Pipeline',
    noun: 'stage',
    output: StageOut,
    get: getStage,
    create: {
      description: 'Without an `order` it becomes the last one; an order that is taken shifts the others.',
      body: NewStage,
      run: createStage,
    },
    update: {
      description: 'Changes only the fields that are sent; an order that is taken shifts the others.',
      body: StageEdit,
      run: updateStage,
    },
    delete: {
      description: 'A stage with prospects needs `moveTo`. The last stage can’t be deleted (409).',
      query: z.object({
        moveTo: z.string().optional().describe('The stage to move its prospects to: an id or an alias.'),
      }),
      run: async (ctx, id, query) => void (await deleteStage(ctx, id, query)),
    },
    restore: restoreStage,
  }),
  ...resource({
    path: '/prospects',
    noun: 'prospect',
    output: ProspectOut,
    get: getProspect,
    list: {
      description: 'Newest first, without those in the trash and those converted to clients.',
      query: z.object({ q: z.string().max(255).optional().describe('Part of a name or an email address.') }),
      run: (ctx, page, { q }) => listProspects(ctx, { q, ...page }),
    },
    create: { description: 'It is added at the end of its stage.', body: NewProspect, run: createProspect },
    update: {
      summary: 'Change or move a prospect',
      description:
        'Changes only the fields that are sent; null clears an optional one. `stageId` moves it to the end of that ' +
        'stage, or to `position` in it; `position` alone moves it within its stage.',
      body: ProspectEdit,
      run: updateProspect,
    },
    delete: { run: deleteProspect },
    restore: restoreProspect,
  }),
  operation({
    ...prospects,
    method: 'post',
    path: '/prospects/{id}/convert-to-client',
    summary: 'Convert a prospect to a client',
    description: 'A second call returns the same client. Needs an email address, and a plan with room for the client.',
    answers: { 200: z.object({ client: ClientOut }) },
    handle: async (ctx, { params }) => ({ client: await convertProspect(ctx, params.id!) }),
  }),
  listOperation({
    ...prospects,
    path: '/prospects/{id}/activities',
    summary: 'List the activity of a prospect',
    description: 'Newest first.',
    output: PipelineActivityOut,
    find: (ctx, { id }) => getProspect(ctx, id!),
    run: (ctx, page, _query, { id }) => listActivities(ctx, id!, page),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
]
