import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from '@remix-run/node'
import { useLoaderData, type ClientLoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Columns3, Plus } from 'lucide-react'
import { startTransition, useEffect, useState } from 'react'
import { AppError } from '#app/lib/errors.ts'
import { parseId, withQuery } from '#app/lib/url.ts'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { readForm, redirectWithToast, submit } from '#app/lib/form-submission.ts'
import { noonIn } from '#app/lib/time.ts'
import { resolveConflict } from '#app/lib/edit-conflict.ts'
import { useRevalidateAcrossTabs } from '#app/ui/navigation/use-revalidate-across-tabs.ts'
import { PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Spinner } from '#app/ui/components/spinner.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import { boardHref, parseBoardState, isFiltered } from '../board-state.ts'
import { Board } from '../components/board.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { PipelineDialog, type DialogData } from '../components/pipeline-dialog.tsx'
import { useCardMoves, useStageOrder } from '../components/use-optimistic-moves.ts'
import { loadDialog } from '../pipeline-loader.server.ts'
import { ProspectEditForm, ProspectForm, StageEditForm, StageForm } from '../forms.ts'
import { getBoard } from '../queries/board.ts'
import { convertProspect } from '../services/conversion.ts'
import { addProspect, deleteProspect, editProspect, restoreProspect } from '../services/prospects.ts'
import { addStage, deleteStage, editStage, moveStageTo, restoreStage } from '../services/stages.ts'
import { formatWholeDollars, formatDollars, formatFollowUp, formatProspectCount, weightedValue } from '../format.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Pipeline')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const state = parseBoardState(searchParams)
  if (searchParams.get('openProspectModal') === 'true') throw redirect(boardHref(state, { dialog: 'add' }))
  const board = await getBoard(ctx, state)
  const zone = ctx.account.timezone
  const now = ctx.now()
  return {
    state,
    total: board.total,
    sources: board.sources,
    stages: board.stages.map(({ id, name, color }) => ({ id, name, color })),
    cards: board.rows.map(({ title, company, nextFollowUp, ...card }) => ({
      ...card,
      about: [title, company].filter(Boolean).join(', '),
      followUp: nextFollowUp && formatFollowUp(nextFollowUp, now, zone),
    })),
    dialog: await loadDialog(ctx, searchParams, board),
  }
}

const failureMessages = {
  add: 'Failed to create prospect. Please try again.',
  edit: 'Failed to update prospect. Please try again.',
  delete: 'Failed to delete prospect. Please try again.',
  restore: 'Failed to restore prospect. Please try again.',
  convert: 'Failed to convert prospect. Please try again.',
  addStage: 'Failed to create stage. Please try again.',
  editStage: 'Failed to update stage. Please try again.',
  deleteStage: 'Failed to delete stage. Please try again.',
  restoreStage: 'Failed to restore stage. Please try again.',
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request.clone())
  // An expired session must not lose the form.
  if (!context.account && form.get('intent') === 'edit')
    return submit(request, ProspectEditForm, () =>
      Promise.reject(new AppError('unauthorized', 'User session invalid. Please refresh the page.')),
    )
  context.coach()
  const here = boardHref(parseBoardState(new URL(request.url).searchParams))
  const id = parseId(form.get('id'))
  const zone = context.coach().account.timezone
  const undo = (label: string, intent: string) =>
    ({
      tone: 'success',
      title: label,
      action: { label: 'Undo', to: '/pipeline', fields: { intent, id: String(id) } },
    }) as const
  switch (form.get('intent')) {
    case 'add':
      return submit(
        request,
        ProspectForm,
        ({ nextFollowUp, ...input }) =>
          besideField(
            attempt(context, failureMessages.add, (ctx) =>
              addProspect(ctx, { ...input, nextFollowUp: nextFollowUp === null ? null : noonIn(nextFollowUp, zone) }),
            ),
          ),
        { to: here, toast: 'Prospect created' },
      )
    case 'edit':
      return submit(
        request,
        ProspectEditForm,
        ({ version, openedIn, ...input }) =>
          besideField(
            attempt(context, failureMessages.edit, (ctx) => {
              const { stageId, nextFollowUp, ...sent } = resolveConflict(input, form)
              return editProspect(
                ctx,
                id,
                {
                  ...sent,
                  // An unchanged stage must not undo a move in another tab.
                  ...(stageId === openedIn ? {} : { stageId }),
                  ...(nextFollowUp === undefined
                    ? {}
                    : { nextFollowUp: nextFollowUp === null ? null : noonIn(nextFollowUp, zone) }),
                },
                { version, stageId: openedIn },
              )
            }),
          ),
        { to: here, toast: 'Prospect updated' },
      )
    case 'delete':
      return press(context, {
        to: here,
        sorry: failureMessages.delete,
        done: undo('Prospect deleted', 'restore'),
        work: (ctx) => deleteProspect(ctx, id),
      })
    case 'restore':
      return press(context, {
        to: backTo(request, here),
        sorry: failureMessages.restore,
        done: { tone: 'success', title: 'Prospect restored' },
        work: (ctx) => restoreProspect(ctx, id),
      })
    case 'convert':
      return redirectOnFailure(
        async () => {
          const client = await attempt(context, failureMessages.convert, (ctx) => convertProspect(ctx, id))
          return redirectWithToast(here, {
            tone: 'success',
            title: 'Success',
            text: `${client.name} is a client now.`,
            link: { label: 'View client', to: `/clients/${client.id}` },
          })
        },
        here,
        id,
      )
    case 'addStage':
      return submit(
        request,
        StageForm,
        ({ position, ...input }) =>
          attempt(context, failureMessages.addStage, async (ctx) =>
            moveStageTo(ctx, (await addStage(ctx, { ...input, order: null })).id, position),
          ),
        { to: here, toast: 'Stage created' },
      )
    case 'editStage':
      return submit(
        request,
        StageEditForm,
        ({ version, openedAt, ...input }) =>
          attempt(context, failureMessages.editStage, async (ctx) => {
            const { position, ...sent } = resolveConflict(input, form)
            await editStage(ctx, id, sent, version)
            // An unchanged position must not undo a new order from another tab.
            if (position !== undefined && position !== openedAt) await moveStageTo(ctx, id, position, openedAt)
          }),
        { to: here, toast: 'Stage updated' },
      )
    case 'deleteStage':
      return press(context, {
        to: here,
        sorry: failureMessages.deleteStage,
        done: undo('Stage deleted', 'restoreStage'),
        work: (ctx) => deleteStage(ctx, id, { moveTo: form.has('moveTo') ? String(form.get('moveTo')) : undefined }),
      })
    case 'restoreStage':
      return press(context, {
        to: backTo(request, here),
        sorry: failureMessages.restoreStage,
        done: { tone: 'success', title: 'Stage restored' },
        work: (ctx) => restoreStage(ctx, id),
      })
    default:
      throw new AppError('bad_request', 'Unknown form.')
  }
}

export const clientAction = keepFormOnFailure(failureMessages)

/** Shows a deleted stage or product as an error of its field. */
async function besideField<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const field =
      error instanceof AppError && error.code === 'not_found' ? choiceFields[error.subject ?? ''] : undefined
    throw field ? new AppError('not_found', 'This has been deleted. Choose another.', { field }) : error
  }
}
const choiceFields: Record<string, string> = { pipeline_stage: 'stageId', product: 'productId' }

/** A failure leads to where it can be solved: the email field of the prospect, or the upgrade. */
async function redirectOnFailure(work: () => Promise<Response>, boardUrl: string, id: number): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const needsEmail = error.issues?.some(({ path }) => path === 'email')
    const emailUrl = withQuery(boardUrl, { dialog: 'edit', prospect: String(id), needs: 'email' })
    const link = error.code === 'plan_limit' ? { link: { label: 'Upgrade Plan', to: '/upgrade' } } : {}
    const toast = { tone: 'error', title: 'Error', text: error.message, ...link } as const
    return redirectWithToast(needsEmail ? emailUrl : boardUrl, toast)
  }
}

/** After a conflict the page must show what the other tab saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => shouldRevalidateUnless(change, [409])

type PageData = SerializeFrom<typeof loader>
let isMounted = false

/** Navigates to the page at once and loads the board after, unless the page is open already. */
export function clientLoader({
  request,
  serverLoader,
}: ClientLoaderFunctionArgs): Promise<PageData> | { deferred: Promise<PageData> } {
  const data = serverLoader<typeof loader>()
  return isMounted || new URL(request.url).searchParams.has('openProspectModal') ? data : { deferred: data }
}

export default function PipelinePage() {
  const data = useDeferredData()
  return data ? <Pipeline {...data} /> : <PipelineLoading />
}

function useDeferredData(): PageData | null {
  const data = useLoaderData<PageData | { deferred: Promise<PageData> }>()
  const [loaded, setLoaded] = useState<PageData | null>(null)
  const deferred = 'deferred' in data ? data.deferred : null
  useEffect(() => {
    isMounted = true
    return () => void (isMounted = false)
  }, [])
  useEffect(() => {
    // After a failure the server renders its own error page.
    deferred?.then(
      (board) => startTransition(() => setLoaded(board)),
      () => window.location.reload(),
    )
  }, [deferred])
  return 'deferred' in data ? loaded : data
}

const title = 'Sales Pipeline'
const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Pipeline' }]

function PipelineLoading() {
  return (
    <Page wide title={title} crumbs={crumbs}>
      <p className="grid min-h-[50dvh] place-items-center text-ink-3" role="status">
        <Spinner />
        <span className="sr-only">Loading the pipeline</span>
      </p>
    </Page>
  )
}

function Pipeline({ state, total, sources, stages, cards, dialog: loadedDialog }: PageData) {
  const revalidate = useRevalidateAcrossTabs('pipeline')
  const { columns, moveCard } = useCardMoves(stages, cards, isFiltered(state), revalidate)
  const { orderedStages, reorderStages } = useStageOrder(stages, revalidate)
  const dialog = useDialogWhileEditing(loadedDialog)
  const boardUrl = boardHref(state)
  return (
    <Page
      wide
      title={title}
      crumbs={crumbs}
      description={<Totals cards={cards} total={total} isFiltered={isFiltered(state)} />}
      actions={
        <>
          <SecondaryLink to={boardHref(state, { dialog: 'add-stage' })} icon={Columns3} preventScrollReset>
            Add Stage
          </SecondaryLink>
          <PrimaryLink to={boardHref(state, { dialog: 'add' })} icon={Plus} preventScrollReset>
            Add Prospect
          </PrimaryLink>
        </>
      }
    >
      {total > 0 && <FilterBar state={state} sources={sources} />}
      <Board
        stages={orderedStages}
        columns={columns}
        boardUrl={boardUrl}
        page={state}
        onMove={moveCard}
        onReorder={reorderStages}
      />
      {dialog && <PipelineDialog dialog={dialog} stages={orderedStages} sources={sources} boardUrl={boardUrl} />}
    </Page>
  )
}

/** Keeps the edit dialog open if another tab deletes or converts the prospect, so that nothing typed is lost. */
function useDialogWhileEditing(loaded: DialogData): DialogData {
  const [shown, setShown] = useState(loaded)
  const isRemoved = loaded?.kind === 'not-found' || loaded?.kind === 'converted'
  const isEditing = isRemoved && shown?.kind === 'edit' && shown.prospect.id === loaded.id
  if (!isEditing && shown !== loaded) setShown(loaded)
  return isEditing ? shown : loaded
}

type TotalsProps = { cards: { value: number; probability: number }[]; total: number; isFiltered: boolean }

function Totals({ cards, total, isFiltered: hasFilter }: TotalsProps) {
  if (!total) return 'No prospects yet. Add the first person who might become a client.'
  if (hasFilter && !cards.length) return 'No prospects match these filters.'
  const count = formatProspectCount(total)
  const value = formatDollars(cards.reduce((sum, card) => sum + card.value, 0))
  return (
    <span className="num">
      {hasFilter ? `${cards.length.toLocaleString('en-US')} of ${count}` : count}, {value} in total,{' '}
      {formatWholeDollars(weightedValue(cards))} weighted
    </span>
  )
}
