import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Progress } from '#app/ui/components/progress.tsx'
import type { ProgramDetails } from '../program-loader.server.ts'
import { ChartFigure } from './chart-figure.tsx'

type Goal = ProgramDetails['goals'][number]

/** The goals of a program, with a form that enters the current value of each. `action`: the page that takes it. */
export function GoalList(props: { goals: Goal[]; action: string; renderAside?: (goal: Goal) => ReactNode }) {
  const { goals, action, renderAside } = props
  return (
    <ul className="rows border-t border-line-soft" aria-label="Goals">
      {goals.map((goal) => (
        <li key={goal.id} className="grid gap-3 px-5 py-4">
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">{goal.title}</p>
              <p className="text-sm text-ink-3 wrap-anywhere">{goal.range}</p>
            </div>
            {renderAside?.(goal)}
          </div>
          <Progress value={goal.percent} label={`Progress of ${goal.title}`} />
          <p className="text-sm">
            Now: <strong className="num">{goal.current}</strong>
            {goal.updated && <span className="block text-ink-3">{goal.updated}</span>}
          </p>
          <Form method="post" noValidate action={action} className="flex gap-2" preventScrollReset>
            <input type="hidden" name="intent" value="measure" />
            <input type="hidden" name="id" value={goal.id} />
            <input
              name="value"
              className="input max-w-32"
              inputMode="decimal"
              autoComplete="off"
              aria-label={`New value of ${goal.title}`}
              placeholder={goal.unit ?? undefined}
            />
            <button type="submit" className="btn btn-secondary" aria-label={`Enter a value of ${goal.title}`}>
              Enter
            </button>
          </Form>
          {goal.chart && <ChartFigure chart={goal.chart} title={`${goal.title} over time`} />}
        </li>
      ))}
    </ul>
  )
}
