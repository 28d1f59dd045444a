import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { CalendarClock, Check, Pencil, Plus, RotateCcw, X } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { ChartFigure } from '../components/chart-figure.tsx'
import { GoalList } from '../components/goal-list.tsx'
import { MilestoneList } from '../components/milestone-list.tsx'
import { ProgramDialog } from '../components/program-dialogs.tsx'
import { ProgressSummary } from '../components/progress-summary.tsx'
import {
  AddGoalForm,
  EditGoalForm,
  EditProgramForm,
  MeasureForm,
  parseMeasure,
  ProgramItemForm,
  ProgressForm,
  ShiftForm,
} from '../forms.ts'
import { programsUrl, programUrl } from '../list-state.ts'
import { loadProgram, type ProgramPage as PageData } from '../program-loader.server.ts'
import { createGoal, deleteGoal, recordValue, restoreGoal, updateGoal } from '../services/goals.ts'
import { addProgramItem, deleteProgramItem, setItemDone } from '../services/items.ts'
import {
  completeProgram,
  deleteProgram,
  reopenProgram,
  restoreProgram,
  setProgress,
  updateProgram,
} from '../services/programs.ts'
import { shiftDates } from '../services/shift-dates.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `${data.client.name}, ${data.name}` : 'Program')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadProgram(context.coach(), parseId(params.id), request.url)

const messages = {
  edit: { done: 'Program updated', failed: 'Failed to update the program.' },
  shift: { done: 'Dates shifted', failed: 'Failed to shift the dates.' },
  progress: { done: 'Progress set', failed: 'Failed to set the progress.' },
  count: { done: 'Progress is counted', failed: 'Failed to count the progress.' },
  complete: { done: 'Item completed', failed: 'Failed to complete the item.' },
  reopen: { done: 'Item reopened', failed: 'Failed to reopen the item.' },
  'complete-program': { done: 'Program completed', failed: 'Failed to complete the program.' },
  'reopen-program': { done: 'Program reopened', failed: 'Failed to reopen the program.' },
  'add-item': { done: 'Item added', failed: 'Failed to add the item.' },
  'delete-item': { done: 'Item deleted', failed: 'Failed to delete the item.' },
  'add-goal': { done: 'Goal added', failed: 'Failed to add the goal.' },
  'edit-goal': { done: 'Goal updated', failed: 'Failed to update the goal.' },
  measure: { done: 'Value entered', failed: 'Failed to enter the value.' },
  'delete-goal': { done: 'Goal deleted', failed: 'Failed to delete the goal.' },
  'restore-goal': { done: 'Goal restored', failed: 'Failed to restore the goal.' },
  delete: { done: 'Program deleted', failed: 'Failed to delete the program.' },
  restore: { done: 'Program restored', failed: 'Failed to restore the program.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    edit: { schema: EditProgramForm, run: (ctx, { id, version, ...input }) => updateProgram(ctx, id, input, version) },
    shift: {
      schema: ShiftForm,
      run: async (ctx, input) => {
        const { version } = await shiftDates(ctx, input)
        const { id, days } = input
        const fields = { intent: 'shift', id: String(id), version: String(version), days: String(-days) }
        return success({ toast: { action: { label: 'Undo', to: programUrl(id).href(), fields } } })
      },
    },
    progress: { schema: ProgressForm, run: (ctx, { id, percent }) => setProgress(ctx, id, percent) },
    count: { schema: ById, run: (ctx, { id }) => setProgress(ctx, id, null), to: toPage },
    complete: { schema: ById, run: (ctx, { id }) => setItemDone(ctx, id, true), to: toPage, undo: 'reopen' },
    reopen: { schema: ById, run: (ctx, { id }) => setItemDone(ctx, id, false), to: toPage },
    'complete-program': { schema: ById, run: (ctx, { id }) => completeProgram(ctx, id), undo: 'reopen-program' },
    'reopen-program': { schema: ById, run: (ctx, { id }) => reopenProgram(ctx, id), to: toPage },
    'add-item': { schema: ProgramItemForm, run: (ctx, { id, ...item }) => addProgramItem(ctx, id, item) },
    'delete-item': { schema: ById, run: (ctx, { id }) => deleteProgramItem(ctx, id) },
    'add-goal': { schema: AddGoalForm, run: (ctx, { program, ...input }) => createGoal(ctx, program, input) },
    'edit-goal': { schema: EditGoalForm, run: (ctx, { id, version, ...input }) => updateGoal(ctx, id, input, version) },
    measure: {
      schema: MeasureForm,
      run: (ctx, { id, value }) => recordValue(ctx, id, parseMeasure(value)),
      to: toPage,
      isButton: true,
    },
    'delete-goal': { schema: ById, run: (ctx, { id }) => deleteGoal(ctx, id), undo: 'restore-goal' },
    'restore-goal': { schema: ById, run: (ctx, { id }) => restoreGoal(ctx, id), to: toPage },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteProgram(ctx, id)
        return success({ to: programsUrl.href() })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreProgram(ctx, id), to: toPage },
  },
  { dialog: ['dialog', 'goal', 'milestone', 'item'] },
)

export const clientAction = formClientAction(messages)

export default function ProgramPage() {
  const data = useLoaderData<typeof loader>()
  const { id, name, description, client, isCompleted, milestones } = data
  const url = programUrl(id)
  return (
    <Page
      title={name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Programs', to: programsUrl.href() },
        { label: client.name },
      ]}
      description={description}
      actions={
        <>
          <ButtonLink icon={Pencil} to={url.href({ dialog: 'details' })} preventScrollReset>
            Details
          </ButtonLink>
          <ButtonLink icon={CalendarClock} to={url.href({ dialog: 'shift' })} preventScrollReset>
            Shift Dates
          </ButtonLink>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value={isCompleted ? 'reopen-program' : 'complete-program'} />
            <input type="hidden" name="id" value={id} />
            <Button
              type="submit"
              variant={isCompleted ? 'secondary' : 'primary'}
              icon={isCompleted ? RotateCcw : Check}
            >
              {isCompleted ? 'Reopen' : 'Complete Program'}
            </Button>
          </Form>
        </>
      }
    >
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_21.5rem]">
        <MilestoneList
          milestones={milestones}
          action={url.href()}
          renderAside={(milestone) => (
            <ButtonLink
              size="sm"
              variant="ghost"
              icon={Plus}
              to={url.href({ dialog: 'item', milestone: milestone.id })}
              preventScrollReset
              aria-label={`Add an item to ${milestone.title}`}
              className="btn-icon"
            />
          )}
          renderItemAside={(_milestone, item) => (
            <ButtonLink
              size="sm"
              variant="ghost"
              icon={X}
              to={url.href({ dialog: 'delete-item', item: item.id })}
              preventScrollReset
              aria-label={`Delete ${item.title}`}
              className="btn-icon"
            />
          )}
        />
        <div className="grid gap-6 max-xl:-order-1">
          <ProgressCard {...data} />
          <Goals {...data} />
        </div>
      </div>
      <ProgramDialog {...data} />
    </Page>
  )
}

function ProgressCard({ id, client, isCompleted, progress, chart }: PageData) {
  return (
    <Card title="Progress" aside={isCompleted ? <Badge tone="success">Completed</Badge> : undefined}>
      <div className="grid gap-4 border-t border-line-soft p-5">
        <p>
          Client:{' '}
          <Link className="link wrap-anywhere" to={`/clients/${client.id}`}>
            {client.name}
          </Link>
        </p>
        <ProgressSummary progress={progress} label="Progress" />
        <div className="flex flex-wrap gap-2">
          <ButtonLink size="sm" to={programUrl(id).href({ dialog: 'progress' })} preventScrollReset>
            Set by Hand
          </ButtonLink>
          {progress.isSet && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="count" />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" size="sm">
                Count It
              </Button>
            </Form>
          )}
        </div>
        {chart && <ChartFigure chart={chart} title="Progress over time" />}
      </div>
    </Card>
  )
}

function Goals({ id, goals }: PageData) {
  const url = programUrl(id)
  return (
    <Card
      title="Goals"
      aside={
        <ButtonLink
          size="sm"
          variant="ghost"
          icon={Plus}
          to={url.href({ dialog: 'goal' })}
          preventScrollReset
          aria-label="Add Goal"
          className="btn-icon -mr-1.5"
        />
      }
    >
      {goals.length ? (
        <GoalList
          goals={goals}
          action={url.href()}
          renderAside={(goal) => (
            <ButtonLink
              size="sm"
              variant="ghost"
              icon={Pencil}
              to={url.href({ dialog: 'goal', goal: goal.id })}
              preventScrollReset
              aria-label={`Edit ${goal.title}`}
              className="btn-icon"
            />
          )}
        />
      ) : (
        <p className="px-5 pb-4 text-ink-3">No goals yet.</p>
      )}
    </Card>
  )
}
