import { localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { drawChart, type ChartPoint } from './chart.server.ts'
import { valueSetters } from './fields.ts'
import { formatMeasure, getZone, toGoalView, toMilestoneViews, toProgressView } from './format.ts'
import { programUrl } from './list-state.ts'
import { listProgress } from './progress.ts'
import { listGoals, listValues, type GoalWithValue } from './queries/goals.ts'
import { listItems, toCounted, type Item } from './queries/items.ts'
import { getProgramRow, type ProgramRow } from './queries/programs.ts'

/** The values of a goal that its chart shows. */
const shownValues = 100

/** The page of a client's program for the coach. Throws not_found. */
export async function loadProgram(ctx: Ctx, id: number, url: string) {
  const program = await getProgramRow(ctx, id)
  const state = programUrl(id).parse(url)
  return { ...(await loadDetails(ctx, program)), state }
}
export type ProgramPage = Awaited<ReturnType<typeof loadProgram>>

/** A program with its milestones, goals and charts, for the coach or the client in the portal. */
export async function loadDetails(ctx: Ctx, program: ProgramRow) {
  const { id, name, description, clientId, clientName, completedAt, startDate, templateId, version } = program
  const [{ milestones, items }, goals] = await Promise.all([listItems(ctx, [id]), listGoals(ctx, [id])])
  return {
    id,
    name,
    description,
    client: { id: clientId, name: clientName },
    templateId,
    startDate,
    version,
    isCompleted: completedAt !== null,
    progress: toProgressView(ctx, program, items),
    chart: drawProgress(ctx, program, items),
    milestones: toMilestoneViews(ctx, { milestones, items }, { isCompleted: completedAt !== null }),
    goals: await loadGoals(ctx, goals),
  }
}
export type ProgramDetails = Awaited<ReturnType<typeof loadDetails>>

function drawProgress(ctx: Ctx, { progress }: ProgramRow, items: Item[]) {
  const zone = getZone(ctx)
  const points = listProgress(toCounted(items), progress, {
    now: ctx.now().toISOString(),
    toDay: (at) => localDate(at, zone),
  })
  const values = points.map(({ day, percent }) => ({ at: `${day}T12:00:00Z`, value: percent, label: `${percent}%` }))
  return drawChart(ctx, values, { ends: [0, 100], unit: '%', zone: 'UTC' })
}

async function loadGoals(ctx: Ctx, goals: GoalWithValue[]) {
  const values = await listValues(
    ctx,
    goals.map(({ id }) => id),
    shownValues,
  )
  return goals.map((goal) => {
    const { id, start, target, unit } = goal
    const points = values
      .filter(({ goalId }) => goalId === id)
      .toReversed()
      .map(({ createdAt, value, setBy }): ChartPoint => {
        const by = ctx.client && setBy === 'client' ? 'You' : valueSetters[setBy]
        return { at: createdAt, value, label: formatMeasure(value, unit), note: by }
      })
    return {
      ...toGoalView(ctx, goal),
      chart: drawChart(ctx, points, { ends: [start, target], unit: '', zone: getZone(ctx) }),
    }
  })
}
