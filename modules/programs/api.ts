import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { limitToScopes, type Ctx } from '#tenants/context.ts'
import { limits } from './fields.ts'
import {
  GoalEdit,
  GoalFilter,
  NewGoalOfProgram,
  NewGoalValue,
  NewProgram,
  NewProgramItem,
  NewTemplate,
  ProgramEdit,
  ProgramFilter,
  ProgressEdit,
  Shift,
  TemplateEdit,
} from './forms.ts'
import { getGoal, getGoalValue, listGoalValues, listNewestGoals, toGoalOut } from './queries/goals.ts'
import { getProgramItem, listProgramItems } from './queries/items.ts'
import { getProgram, listPrograms } from './queries/programs.ts'
import { loadProgress } from './queries/progress.ts'
import { getTemplate, listTemplates } from './queries/templates.ts'
import {
  GoalOut,
  GoalValueOut,
  ItemOut,
  program,
  ProgressOut,
  template,
  type ItemRecord,
  type ProgressRecord,
} from './records.ts'
import { createGoal, deleteGoal, recordValue, restoreGoal, updateGoal } from './services/goals.ts'
import { addProgramItem, deleteProgramItem, setItemDone } from './services/items.ts'
import {
  assignProgram,
  completeProgram,
  deleteProgram,
  reopenProgram,
  restoreProgram,
  setProgress,
  updateProgram,
} from './services/programs.ts'
import { shiftDates } from './services/shift-dates.ts'
import { createTemplate, deleteTemplate, restoreTemplate, updateTemplate } from './services/templates.ts'

const programs = { tags: ['Programs'] }
const keysOfParts = 'An API key also needs to read the tasks, forms, sessions and files that are items.'
const keysOfChoices = 'an API key needs the scopes `forms:write`, `scheduling:read` and `resources:write`'

export const operations = [
  ...resource({
    path: '/program-templates',
    tag: 'Programs',
    noun: 'program template',
    output: template.output,
    get: getTemplate,
    list: { description: 'Newest first.', run: listTemplates },
    create: {
      description:
        'A milestone begins in a `week` of the program. `days` of an item: after that, on which it is due. A form or ' +
        'resource needs `choiceId`, a session may have one: of the form, which has a question, the resource or the ' +
        `appointment type. To choose these ${keysOfChoices}.`,
      body: NewTemplate,
      run: createTemplate,
    },
    update: {
      description:
        '`milestones` replaces all of them, and items that are sent back as they were are not checked again. ' +
        'Programs that clients have stay as they are.',
      body: TemplateEdit,
      run: updateTemplate,
    },
    delete: { description: 'Programs that clients have stay as they are.', run: deleteTemplate },
    restore: restoreTemplate,
  }),
  ...resource({
    path: '/programs',
    noun: 'program',
    output: program.output,
    get: getProgram,
    list: {
      description: 'The programs that clients have, newest first.',
      query: ProgramFilter,
      run: async (ctx, page, { clientId, status }) => {
        const client = clientId === undefined ? null : await getClient(ctx, parseId(clientId))
        return listPrograms(ctx, { ...page, status, clientId: client?.id })
      },
    },
    create: {
      summary: 'Assign a program to a client',
      description:
        'A copy of the template, which has a milestone, from `startDate` on. The client gets the tasks, forms and ' +
        'resources of the milestones that have begun. A second one of the template is a 409 until the first is completed. ' +
        `For the forms, appointment types and resources of the template ${keysOfChoices}.`,
      body: NewProgram,
      run: assignProgram,
    },
    update: { description: 'The template stays as it is.', body: ProgramEdit, run: updateProgram },
    delete: { description: 'Its tasks and forms stay.', run: deleteProgram },
    restore: restoreProgram,
    actions: {
      complete: {
        summary: 'Complete a program',
        description: 'A second call keeps the first `completedAt`.',
        run: completeProgram,
      },
      reopen: {
        summary: 'Reopen a completed program',
        description: `A 409 if the client has the same program again, or ${limits.running} others.`,
        refusals: [409],
        run: reopenProgram,
      },
    },
  }),
  operation({
    ...programs,
    method: 'post',
    path: '/programs/{id}/shift-dates',
    summary: 'Shift the open dates of a program',
    description:
      'Those of items that are not done, with their tasks, and of milestones that have such an item or none. ' +
      `The same number of days, negative, shifts them back. ${keysOfParts}`,
    body: Shift,
    answers: { 200: ProgressOut },
    find: findProgram,
    handle: async (ctx, { params, body }) => {
      await shiftDates(ctx, { id: params.id!, days: body.days })
      return findProgress(ctx, params)
    },
  }),
  operation({
    ...programs,
    method: 'get',
    path: '/programs/{id}/progress',
    summary: 'How far a client is with a program',
    description: `Its milestones with their items, in order. ${keysOfParts}`,
    answers: { 200: ProgressOut },
    handle: (ctx, { params }) => findProgress(ctx, params),
  }),
  operation({
    ...programs,
    method: 'patch',
    path: '/programs/{id}/progress',
    summary: 'Set the progress of a program by hand, or count it again',
    description: `At most ${limits.entries} times. ${keysOfParts}`,
    body: ProgressEdit,
    answers: { 200: ProgressOut },
    find: findProgram,
    handle: async (ctx, { params, body }) => {
      if (body.percent !== undefined) await setProgress(ctx, params.id!, body.percent)
      return findProgress(ctx, params)
    },
  }),
  listOperation({
    ...programs,
    path: '/programs/{id}/items',
    summary: 'List the items of a program',
    description: `Newest first. ${keysOfParts}`,
    output: ItemOut,
    find: findProgram,
    run: (ctx, page, _query, { id }) => listProgramItems(ctx, id!, page),
    toCursor,
  }),
  operation({
    ...programs,
    method: 'post',
    path: '/programs/{id}/items',
    summary: 'Add an item at the end of a milestone',
    description: `A milestone has at most ${limits.items} items. The template stays as it is. ${keysOfParts}`,
    body: NewProgramItem,
    answers: { 201: ItemOut },
    find: findProgram,
    handle: async (ctx, { params, body }) =>
      findItem(ctx, { ...params, item: await addProgramItem(ctx, params.id!, body) }),
  }),
  operation({
    ...programs,
    method: 'get',
    path: '/programs/{id}/items/{item}',
    summary: 'An item of a program',
    description: keysOfParts,
    answers: { 200: ItemOut },
    handle: (ctx, { params }) => findItem(ctx, params),
  }),
  operation({
    ...programs,
    method: 'delete',
    path: '/programs/{id}/items/{item}',
    summary: 'Delete an item of a program',
    description: 'Its task or form stays.',
    answers: { 204: null },
    find: (ctx, { id, item }) => getProgramItem(ctx, id!, item!),
    handle: (ctx, { params }) => deleteProgramItem(ctx, params.item!),
  }),
  ...(['complete', 'reopen'] as const).map((name) =>
    operation({
      ...programs,
      method: 'post',
      path: `/programs/{id}/items/{item}/${name}`,
      summary: name === 'complete' ? 'Tick an item' : 'Untick an item',
      description:
        'A checklist item, or one whose record was deleted: a task, form or session is done where it is kept, so here it ' +
        `is a 422. A second call changes nothing. ${keysOfParts}`,
      answers: { 200: ItemOut },
      refusals: [422],
      find: findItem,
      handle: async (ctx, { params }) => {
        await setItemDone(ctx, params.item!, name === 'complete')
        return findItem(ctx, params)
      },
    }),
  ),
  ...resource({
    path: '/goals',
    tag: 'Programs',
    noun: 'goal',
    output: GoalOut,
    get: async (ctx, id) => toGoalOut(await getGoal(ctx, id)),
    list: {
      description: 'The goals of programs, newest first.',
      query: GoalFilter,
      run: async (ctx, page, { programId }) => {
        const program = programId === undefined ? null : await getProgram(ctx, parseId(programId))
        return listNewestGoals(ctx, { ...page, programId: program?.id })
      },
    },
    create: {
      description: `Of a program, from \`start\` to another \`target\`. A program has at most ${limits.goals}.`,
      body: NewGoalOfProgram,
      run: async (ctx, { programId, ...input }) => toGoalOut(await createGoal(ctx, programId, input)),
    },
    update: { body: GoalEdit, run: async (ctx, id, input) => toGoalOut(await updateGoal(ctx, id, input)) },
    delete: { run: deleteGoal },
    restore: async (ctx, id) => toGoalOut(await restoreGoal(ctx, id)),
  }),
  listOperation({
    ...programs,
    path: '/goals/{id}/values',
    summary: 'List the values of a goal',
    description: 'Newest first: the first one is current.',
    output: GoalValueOut,
    find: (ctx, { id }) => getGoal(ctx, id!),
    run: (ctx, page, _query, { id }) => listGoalValues(ctx, id!, page),
    toCursor,
  }),
  operation({
    ...programs,
    method: 'post',
    path: '/goals/{id}/values',
    summary: 'Enter the current value of a goal',
    description: 'Values never change.',
    body: NewGoalValue,
    answers: { 201: GoalValueOut },
    find: (ctx, { id }) => getGoal(ctx, id!),
    handle: async (ctx, { params, body }) => getGoalValue(ctx, await recordValue(ctx, params.id!, body.value)),
  }),
]

function findProgram(ctx: Ctx, { id }: { id?: number }): Promise<unknown> {
  return getProgram(ctx, id!)
}

/** A change returns records of other parts, for which a key needs its own scopes. */
function findProgress(ctx: Ctx, { id }: { id?: number }): Promise<ProgressRecord> {
  return loadProgress(limitToScopes(ctx), id!)
}

function findItem(ctx: Ctx, { id, item }: { id?: number; item?: number }): Promise<ItemRecord> {
  return getProgramItem(limitToScopes(ctx), id!, item!)
}

function toCursor({ createdAt, id }: { createdAt: string; id: number }): Cursor {
  return { at: createdAt, id }
}
