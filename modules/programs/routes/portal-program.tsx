import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { ById, clientFormActions } from '#modules/core/form-actions.server.ts'
import { ChartFigure } from '../components/chart-figure.tsx'
import { GoalList } from '../components/goal-list.tsx'
import { MilestoneList } from '../components/milestone-list.tsx'
import { ProgressSummary } from '../components/progress-summary.tsx'
import { MeasureForm, parseMeasure } from '../forms.ts'
import { loadPortalProgramsPage } from '../portal.ts'
import { recordOwnValue } from '../services/goals.ts'
import { setOwnItemDone } from '../services/items.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your program')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalProgramsPage(await context.client())

const messages = {
  complete: { done: 'Well done', failed: 'Failed to complete the item.' },
  reopen: { done: 'Reopened', failed: 'Failed to reopen the item.' },
  measure: { done: 'Value entered', failed: 'Failed to enter the value.' },
}
const path = '/portal/program'

export const action = clientFormActions(
  messages,
  {
    complete: { schema: ById, run: (ctx, { id }) => setOwnItemDone(ctx, id, true), undo: 'reopen' },
    reopen: { schema: ById, run: (ctx, { id }) => setOwnItemDone(ctx, id, false) },
    measure: {
      schema: MeasureForm,
      run: (ctx, { id, value }) => recordOwnValue(ctx, id, parseMeasure(value)),
      isButton: true,
    },
  },
  { home: path },
)

export default function PortalProgramPage() {
  const { programs } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your program</h1>
      {!programs.length && <p className="mt-3 text-ink-2">You have no program yet.</p>}
      {programs.map(({ id, name, description, isCompleted, progress, chart, milestones, goals }) => (
        <section key={id} className="mt-8 grid gap-4" aria-label={name}>
          <Card title={name} aside={isCompleted ? <Badge tone="success">Completed</Badge> : undefined}>
            <div className="grid gap-4 border-t border-line-soft p-5">
              {description && <p className="whitespace-pre-line text-ink-2 wrap-anywhere">{description}</p>}
              <ProgressSummary progress={progress} label={`Progress of ${name}`} />
              {chart && <ChartFigure chart={chart} title="Progress over time" />}
            </div>
          </Card>
          {goals.length > 0 && (
            <Card title="Goals">
              <GoalList goals={goals} action={path} />
            </Card>
          )}
          <MilestoneList milestones={milestones} action={path} />
        </section>
      ))}
    </>
  )
}
