import { scaleLinear, scaleTime } from 'd3-scale'
import { line } from 'd3-shape'
import { formatDay } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { listScaleAnswers, type ScaleAnswer } from './queries/submissions.ts'

/** A chart as numbers: x and y are in percent of its width and height. */
export type ScaleChart = {
  key: string
  title: string
  formName: string
  ticks: { y: number; label: string }[]
  line: string
  points: { x: number; y: number; value: number; date: string; submissionId: number }[]
}

/** The scales that a client has answered more than once. */
export async function loadCharts(ctx: Ctx, clientId: number): Promise<ScaleChart[]> {
  const series = Map.groupBy(await listScaleAnswers(ctx, clientId), (one) => `${one.formId} ${one.question.id}`)
  return [...series].flatMap(([key, answers]) => (answers.length > 1 ? [drawChart(ctx, key, answers)] : []))
}

function drawChart(ctx: Ctx, key: string, answers: ScaleAnswer[]): ScaleChart {
  const { question, formName } = answers.at(-1)!
  // A former version may have had other ends.
  const values = answers.map(({ value }) => value)
  const [min, max] = [Math.min(question.min, ...values), Math.max(question.max, ...values)]
  const y = scaleLinear([min, max], [100, 0])
  const times = answers.map(({ at }) => new Date(at).getTime())
  const x = scaleTime([times[0]!, times.at(-1)! === times[0]! ? times[0]! + 1 : times.at(-1)!], [2, 98])
  const points = answers.map(({ value, at, submissionId }) => ({
    x: round(x(new Date(at))),
    y: round(y(value)),
    value,
    date: formatDay(at, ctx.now(), ctx.account.timezone),
    submissionId,
  }))
  const path = line<(typeof points)[number]>()
    .x((point) => point.x)
    .y((point) => point.y)
  return {
    key,
    title: question.label,
    formName,
    ticks: [min, max].map((tick) => ({ y: round(y(tick)), label: String(tick) })),
    line: path(points) ?? '',
    points,
  }
}

const round = (number: number): number => Math.round(number * 100) / 100
