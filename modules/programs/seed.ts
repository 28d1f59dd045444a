import { addDays, localDate } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewTemplate } from './forms.ts'
import { findPart } from './parts.ts'
import { listItems } from './queries/items.ts'
import { hasTemplates } from './queries/programs.ts'
import { createGoal, recordValue } from './services/goals.ts'
import { setItemDone } from './services/items.ts'
import { assignProgram } from './services/programs.ts'
import { createTemplate } from './services/templates.ts'

/** Fills the demo practice, once: the first client is in the fourth week of a program. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if (await hasTemplates(ctx)) return
  const clients = await listClientOptions(ctx, { rows: 2 })
  const today = localDate(ctx.now(), ctx.account.timezone)
  const template = await ctx.write((tx) => createTemplate(tx, which === 'first' ? leadership(tx) : running(tx)))
  for (const [index, { id: clientId }] of clients.slice(0, which === 'first' ? 2 : 1).entries())
    await ctx.write((tx) =>
      assign(tx, { templateId: template.id, clientId, startDate: addDays(today, index === 0 ? -24 : 3) }, index === 0),
    )
}

async function assign(
  tx: WriteCtx,
  input: { templateId: number; clientId: number; startDate: string },
  hasBegun: boolean,
): Promise<void> {
  const { id } = await assignProgram(tx, input)
  if (!hasBegun) return
  const { items } = await listItems(tx, [id])
  for (const item of items.filter(({ isTicked, kind }) => isTicked && kind === 'check').slice(0, 4))
    await setItemDone(tx, item.id, true)
  const goal = await createGoal(tx, id, { title: 'Evenings without work', unit: 'a week', start: 1, target: 5 })
  for (const value of [2, 2, 3]) await recordValue(tx, goal.id, value)
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
