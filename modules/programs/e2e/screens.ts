import { getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { NewTemplate } from '../forms.ts'
import { listItems } from '../queries/items.ts'
import { createGoal, recordValue } from '../services/goals.ts'
import { setItemDone } from '../services/items.ts'
import { assignProgram, completeProgram, setProgress } from '../services/programs.ts'
import { createTemplate } from '../services/templates.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has an item with long texts. */
    programTemplate: { id: number; milestone: string; item: string }
    emptyTemplate: number
    /** Has a goal and progress with long texts, set by hand. */
    program: { id: number; milestone: number; item: number; goal: number }
  }
}

const template = (name: string, suffix: string): Screen => ({
  name,
  route: '/programs/templates/:id',
  path: ({ programTemplate: { id, milestone, item } }) =>
    `/programs/templates/${id}${suffix.replace('{milestone}', milestone).replace('{item}', item)}`,
  as: 'full',
})
const program = (name: string, suffix: string): Screen => ({
  name,
  route: '/programs/:id',
  path: ({ program: { id, milestone, item, goal } }) =>
    `/programs/${id}${suffix
      .replace('{milestone}', String(milestone))
      .replace('{item}', String(item))
      .replace('{goal}', String(goal))}`,
  as: 'full',
})
const list = (name: string, suffix: string, as: Screen['as'] = 'full'): Screen => ({
  name,
  route: '/programs',
  path: ({ programTemplate }) => `/programs${suffix.replace('{template}', String(programTemplate.id))}`,
  as,
})

export const screens: Screen[] = [
  { name: 'portal-program', route: '/portal/program', path: '/portal/program', as: 'client', host: 'full' },
  list('programs', ''),
  list('programs-completed', '?view=completed'),
  list('programs-templates', '?view=templates'),
  list('programs-empty', '', 'newcomer'),
  list('programs-templates-empty', '?view=templates', 'newcomer'),
  list('programs-none-found', '?q=zzz'),
  list('programs-add', '?view=templates&dialog=add'),
  list('programs-assign', '?dialog=assign'),
  list('programs-delete', '?view=templates&dialog=delete&template={template}'),
  template('program-template', ''),
  {
    name: 'program-template-empty',
    route: '/programs/templates/:id',
    path: ({ emptyTemplate }) => `/programs/templates/${emptyTemplate}`,
    as: 'full',
  },
  template('program-template-details', '?dialog=details'),
  template('program-template-milestone', '?dialog=milestone&milestone={milestone}'),
  template('program-template-delete-milestone', '?dialog=delete-milestone&milestone={milestone}'),
  template('program-template-item', '?dialog=item&milestone={milestone}&item={item}'),
  template('program-template-delete-item', '?dialog=delete-item&milestone={milestone}&item={item}'),
  program('program', ''),
  program('program-details', '?dialog=details'),
  program('program-shift', '?dialog=shift'),
  program('program-progress', '?dialog=progress'),
  program('program-delete', '?dialog=delete'),
  program('program-item', '?dialog=item&milestone={milestone}'),
  program('program-delete-item', '?dialog=delete-item&item={item}'),
  program('program-goal', '?dialog=goal&goal={goal}'),
  program('program-delete-goal', '?dialog=delete-goal&goal={goal}'),
  {
    name: 'program-template-history',
    route: '/history/program_template/:id',
    path: ({ programTemplate }) => `/history/program_template/${programTemplate.id}`,
    as: 'full',
  },
  {
    name: 'program-history',
    route: '/history/program/:id',
    path: ({ program: { id } }) => `/history/program/${id}`,
    as: 'full',
  },
  {
    name: 'goal-history',
    route: '/history/goal/:id',
    path: ({ program: { goal } }) => `/history/goal/${goal}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const [client, second] = await getClients(full)
  const title = longText.slice(0, 255)
  return inTenant(full, async (tx) => {
    const items = [
      { kind: 'check', title, days: 0 },
      { kind: 'check', title: 'Write down how the days go' },
      { kind: 'check', title: 'Prepare the cards', owner: 'coach' },
    ]
    const added = await createTemplate(
      tx,
      NewTemplate.parse({
        name: title,
        description: longText.slice(0, 2000),
        milestones: [
          { title, description: longText.slice(0, 2000), week: 1, items },
          { title: 'Look back', week: 104 },
        ],
      }),
    )
    const empty = await createTemplate(tx, NewTemplate.parse({ name: 'Empty' }))
    const { id } = await assignProgram(tx, { templateId: added.id, clientId: client!.id, startDate: '2026-02-10' })
    const { items: own } = await listItems(tx, [id])
    await setItemDone(tx, own[1]!.id, true)
    await setProgress(tx, id, 80)
    const goal = await createGoal(tx, id, { title, unit: longText.slice(0, 40), start: 90, target: 80.25 })
    for (const value of [88, 85.5]) await recordValue(tx, goal.id, value)
    const done = await assignProgram(tx, { templateId: added.id, clientId: second!.id, startDate: '2026-02-10' })
    await completeProgram(tx, done.id)
    const [milestone] = added.milestones
    return {
      programTemplate: { id: added.id, milestone: milestone!.id, item: milestone!.items[0]!.id },
      emptyTemplate: empty.id,
      program: { id, milestone: own[0]!.milestoneId, item: own[0]!.id, goal: goal.id },
    }
  })
}
