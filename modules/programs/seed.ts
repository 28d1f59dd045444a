import { addDays, localDate, dayMs } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewTemplate, type NewProgram } from './forms.ts'
import { findPart } from './parts.ts'
import { listItems } from './queries/items.ts'
import { hasTemplates } from './queries/programs.ts'
import { createGoal, recordValue } from './services/goals.ts'
import { setItemDone } from './services/items.ts'
import { assignProgram, completeProgram } from './services/programs.ts'
import { createTemplate } from './services/templates.ts'

/** Fills the demo practice, once: the first client is in the fourth week of a program, and has completed another one. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if (await hasTemplates(ctx)) return
  const [first, second] = await listClientOptions(ctx, { rows: 2 })
  const today = localDate(ctx.now(), ctx.account.timezone)
  await ctx.write(async (tx) => {
    const { id: templateId } = await createTemplate(tx, which === 'first' ? leadership(tx) : running(tx))
    if (first) await begin(tx, { templateId, clientId: first.id, startDate: addDays(today, -begunDays) })
    const { id: otherId } = await createTemplate(tx, which === 'first' ? inNewRole : stronger)
    if (!first) return
    const before = { templateId: otherId, clientId: first.id, startDate: addDays(today, -150) }
    await completeProgram(tx, (await assignProgram(tx, before)).id)
    const { id: clientId } = second ?? first
    await assignProgram(tx, { templateId: otherId, clientId, startDate: addDays(today, 3) })
  })
}

const begunDays = 24

/** A program of which a part is done, some days ago. */
async function begin(tx: WriteCtx, input: NewProgram): Promise<void> {
  const { id } = await assignProgram(tx, input)
  const { items } = await listItems(tx, [id])
  for (const item of items.filter(({ isTicked, kind }) => isTicked && kind === 'check').slice(0, 4))
    await setItemDone(tx, item.id, true)
  await createGoal(tx, id, { title: 'Pages read in a week', unit: 'pages', start: 0, target: 100 })
  const goal = await createGoal(tx, id, { title: 'Evenings without work', unit: 'a week', start: 1, target: 5 })
  for (const [index, value] of [2, 2, 3].entries()) {
    const at = new Date(tx.now().getTime() - 7 * (2 - index) * dayMs)
    await recordValue({ ...tx, now: () => at }, goal.id, value)
  }
  await tx.query({
    name: 'programs.seed-items',
    text: `update program_item i set created_at = i.created_at - make_interval(days => $3),
        done_at = i.done_at - make_interval(days => greatest(0, $3 - 2 - 3 * n.number::int))
      from (select id, row_number() over (order by id) as number from program_item
        where coach_id = $1 and program_id = $2) n
      where i.coach_id = $1 and i.id = n.id`,
    values: [tx.coachId, id, begunDays],
  })
}

const check = (title: string, days: number | null = null) => ({ kind: 'check', title, days })

/** Tasks and sessions are part of it where there are modules that have them. */
const ifThere = (tx: WriteCtx, kind: 'task' | 'session', title: string, days: number) =>
  findPart(tx, kind) ? [{ kind, title, days }] : []

const leadership = (tx: WriteCtx) =>
  NewTemplate.parse({
    name: 'Leading with calm',
    description: 'Twelve weeks from full days to a week that you steer.',
    milestones: [
      {
        title: 'Where you are',
        description: 'We look at your weeks as they are.',
        week: 1,
        items: [
          ...ifThere(tx, 'session', 'First session', 3),
          check('Write down how your days go', 5),
          check('Choose the three things that matter', 7),
          ...ifThere(tx, 'task', 'Keep a log of your energy for one week', 7),
        ],
      },
      {
        title: 'What you want',
        description: null,
        week: 3,
        items: [
          check('Describe a good week', 4),
          check('Say no once, and note what happened', 10),
          ...ifThere(tx, 'session', 'Session about your values', 7),
        ],
      },
      {
        title: 'The first changes',
        description: null,
        week: 5,
        items: [
          check('Plan two evenings without work', 3),
          ...ifThere(tx, 'task', 'Talk with your manager about the plan', 7),
          { kind: 'check', title: 'Prepare the values exercise', days: 2, owner: 'coach' },
        ],
      },
      {
        title: 'Keeping it',
        description: null,
        week: 9,
        items: [check('Look back at the eight weeks', 3), ...ifThere(tx, 'session', 'Last session', 21)],
      },
    ],
  })

const running = (tx: WriteCtx) =>
  NewTemplate.parse({
    name: 'From zero to five kilometers',
    milestones: [
      { title: 'Walk', week: 1, items: [check('Walk three times', 6), ...ifThere(tx, 'task', 'Buy running shoes', 4)] },
      { title: 'Walk and run', week: 3, items: [check('Run five minutes', 6)] },
      { title: 'Run', week: 6, items: [check('Run two kilometers', 6), check('Run five kilometers', 20)] },
    ],
  })

const inNewRole = NewTemplate.parse({
  name: 'Ninety days in a new role',
  milestones: [
    {
      title: 'Listen',
      week: 1,
      items: [check('Talk with everybody in the team', 10), check('Note what surprises you', 12)],
    },
    { title: 'Plan', week: 5, items: [check('Write the plan on one page', 6)] },
    { title: 'Lead', week: 9, items: [check('Show the first result', 20)] },
  ],
})

const stronger = NewTemplate.parse({
  name: 'Stronger in eight weeks',
  milestones: [
    { title: 'Begin', week: 1, items: [check('Do the ten exercises once', 3)] },
    { title: 'Go on', week: 4, items: [check('Do them three times a week', 14)] },
  ],
})
