import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { operation, type Operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import type { RunState } from './fields.ts'
import { AutomationEdit, NewAutomation, RunFilter } from './forms.ts'
import { getAutomation, listAutomations, listNewestAutomations } from './queries/automations.ts'
import { listParts } from './queries/parts.ts'
import { getRun, listRuns } from './queries/runs.ts'
import { AutomationOut, DryRunOut, PartsOut, RunOut, type AutomationRecord } from './records.ts'
import {
  createAutomation,
  deleteAutomation,
  editAutomation,
  restoreAutomation,
  switchAutomation,
} from './services/automations.ts'
import { triggerMissing } from './services/catalog.ts'
import { dryRun } from './services/dry-run.ts'
import { findLoop } from './services/loops.ts'
import { retryRun } from './services/runs.ts'

const tag = 'Automations'

/** As the API has them: with their loops, and without the version, which only forms send back. */
async function toOutput(ctx: Ctx, records: (AutomationRecord & { version?: number })[]) {
  const all = await listAutomations(ctx)
  return records.map(({ version: _, ...record }) => ({
    ...record,
    loop: findLoop(ctx, all, record)?.map(({ name }) => name) ?? null,
  }))
}

const toOne = async (ctx: Ctx, record: Promise<AutomationRecord>) => (await toOutput(ctx, [await record]))[0]!

async function dryRunById(ctx: Ctx, id: number) {
  const found = await dryRun(ctx, await getAutomation(ctx, id))
  if (!found) throw new AppError('conflict', triggerMissing)
  return {
    ...found,
    rows: found.rows.map(({ at, title, to, person, actions }) => ({
      at,
      title,
      link: to,
      personName: person.name,
      actions,
    })),
  }
}

export const operations: Operation[] = [
  ...resource({
    path: '/automations',
    noun: 'automation',
    output: AutomationOut,
    get: (ctx, id) => toOne(ctx, getAutomation(ctx, id)),
    list: {
      description: 'Newest first. One without `enabledAt` is switched off.',
      run: async (ctx, page) => toOutput(ctx, await listNewestAutomations(ctx, page)),
    },
    create: {
      description:
        'Switched off. GET /api/automation-parts has the names of triggers, filters, actions and settings. A key also ' +
        'needs the scopes of the parts that the trigger, the filters and the actions belong to.',
      body: NewAutomation,
      run: (ctx, input) => toOne(ctx, createAutomation(ctx, input)),
    },
    update: {
      description:
        'What is left out stays. `filters` and `actions` replace all of them. Another trigger and other `days` apply to ' +
        'what happens from now on; conditions that the new trigger doesn’t have are removed.',
      body: AutomationEdit,
      run: (ctx, id, input) => toOne(ctx, editAutomation(ctx, id, input)),
    },
    delete: { description: 'The actions of runs that are waiting are not done.', run: deleteAutomation },
    restore: (ctx, id) => toOne(ctx, restoreAutomation(ctx, id)),
    actions: {
      'switch-on': {
        summary: 'Switch an automation on',
        description: 'For what happens from now on. A second call changes nothing.',
        refusals: [409, 422],
        run: (ctx, id) => toOne(ctx, switchAutomation(ctx, id, true)),
      },
      'switch-off': {
        summary: 'Switch an automation off',
        run: (ctx, id) => toOne(ctx, switchAutomation(ctx, id, false)),
      },
    },
  }),
  operation({
    tags: [tag],
    method: 'get',
    path: '/automations/{id}/dry-run',
    summary: 'List what an automation would have done',
    description: 'In the last 30 days, newest first, at most 100 times. Changes nothing.',
    answers: { 200: DryRunOut },
    refusals: [409],
    handle: (ctx, { params }) => dryRunById(ctx, params.id!),
  }),
  listOperation({
    tags: [tag],
    path: '/automations/{id}/runs',
    summary: 'List what an automation did',
    description: 'Newest first, of the last 90 days.',
    output: RunOut,
    query: RunFilter,
    find: (ctx, { id }) => getAutomation(ctx, id!),
    run: (ctx, { rows = null, after }, { state = null }, { id }) =>
      listRuns(ctx, id!, { rows, after: after?.id ?? null, state: state as RunState | null }),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
  operation({
    tags: [tag],
    method: 'post',
    path: '/automation-runs/{id}/retry',
    summary: 'Try the failed actions of a run again',
    answers: { 200: RunOut },
    refusals: [404],
    handle: async (ctx, { params }) => {
      await retryRun(ctx, params.id!)
      return getRun(ctx, params.id!)
    },
  }),
  operation({
    tags: [tag],
    method: 'get',
    path: '/automation-parts',
    summary: 'List what automations can be made of',
    description: 'The triggers and actions that the caller has permission for, with what can be chosen.',
    answers: { 200: PartsOut },
    handle: (ctx) => listParts(ctx),
  }),
]
