import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from '@remix-run/node'
import { useLoaderData, type ClientLoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Columns3, Plus } from 'lucide-react'
import { startTransition, useEffect, useMemo, useState } from 'react'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { formOf, redirectWithToast, submit } from '#app/lib/form-submission.ts'
import { noonOf } from '#app/lib/time.ts'
import { chosen } from '#app/lib/edit-conflict.ts'
import { PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Spinner } from '#app/ui/components/spinner.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import { boardAddress, boardState, isFiltered } from '../board-state.ts'
import { Board } from '../components/board.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { PipelineDialog, type Asked } from '../components/pipeline-dialog.tsx'
import { useMoves, useStageOrder } from '../components/use-optimistic-moves.ts'
import { dialogOf } from '../pipeline-loader.server.ts'
import { ProspectEditForm, ProspectForm, StageEditForm, StageForm } from '../forms.ts'
import { boardOf } from '../queries/board.ts'
import { convertProspect } from '../services/conversion.ts'
import { addProspect, deleteProspect, editProspect, restoreProspect } from '../services/prospects.ts'
import { addStage, deleteStage, editStage, placeStage, restoreStage } from '../services/stages.ts'
import { aboutDollars, dollarsOf, followUpWords, prospectsOf, weighted } from '../format.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Pipeline')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const state = boardState(searchParams)
  if (searchParams.get('openProspectModal') === 'true') throw redirect(boardAddress(state, { dialog: 'add' }))
  const board = await boardOf(ctx, state)
  const zone = ctx.account.timezone
  const now = ctx.now()
  return {
    state,
    all: board.all,
    sources: board.sources,
    stages: board.stages.map(({ id, name, color }) => ({ id, name, color })),
    cards: board.rows.map(({ title, company, nextFollowUp, ...card }) => ({
      ...card,
      about: [title, company].filter(Boolean).join(', '),
      followUp: nextFollowUp && followUpWords(nextFollowUp, now, zone),
    })),
    dialog: await dialogOf(ctx, searchParams, board),
  }
}

const sorry = {
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
  const form = await formOf(request.clone())
  // Who was signed out meanwhile keeps what they typed.
  if (!context.account && form.get('intent') === 'edit')
    return submit(request, ProspectEditForm, () =>
      Promise.reject(new AppError('unauthorized', 'User session invalid. Please refresh the page.')),
    )
  context.coach()
  const here = boardAddress(boardState(new URL(request.url).searchParams))
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
            attempt(context, sorry.add, (ctx) =>
              addProspect(ctx, { ...input, nextFollowUp: nextFollowUp === null ? null : noonOf(nextFollowUp, zone) }),
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
            attempt(context, sorry.edit, (ctx) => {
              const { stageId, nextFollowUp, ...sent } = chosen(input, form)
              return editProspect(
                ctx,
                id,
                {
                  ...sent,
                  // Who moved it meanwhile is not overruled by a form that only stood open.
                  ...(stageId === openedIn ? {} : { stageId }),
                  ...(nextFollowUp === undefined
                    ? {}
                    : { nextFollowUp: nextFollowUp === null ? null : noonOf(nextFollowUp, zone) }),
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
        sorry: sorry.delete,
        done: undo('Prospect deleted', 'restore'),
        work: (ctx) => deleteProspect(ctx, id),
      })
    case 'restore':
      return press(context, {
        to: backTo(request, here),
        sorry: sorry.restore,
        done: { tone: 'success', title: 'Prospect restored' },
        work: (ctx) => restoreProspect(ctx, id),
      })
    case 'convert':
      return converting(
        async () => {
          const client = await attempt(context, sorry.convert, (ctx) => convertProspect(ctx, id))
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
        ({ place, ...input }) =>
          attempt(context, sorry.addStage, async (ctx) =>
            placeStage(ctx, (await addStage(ctx, { ...input, order: null })).id, place),
          ),
        { to: here, toast: 'Stage created' },
      )
    case 'editStage':
      return submit(
        request,
        StageEditForm,
        ({ version, openedAt, ...input }) =>
          attempt(context, sorry.editStage, async (ctx) => {
            const { place, ...sent } = chosen(input, form)
            await editStage(ctx, id, sent, version)
            // Who reordered the stages meanwhile is not overruled by a form that only stood open.
            if (place !== undefined && place !== openedAt) await placeStage(ctx, id, place, openedAt)
          }),
        { to: here, toast: 'Stage updated' },
      )
    case 'deleteStage':
      return press(context, {
        to: here,
        sorry: sorry.deleteStage,
        done: undo('Stage deleted', 'restoreStage'),
        work: (ctx) => deleteStage(ctx, id, { moveTo: form.has('moveTo') ? String(form.get('moveTo')) : undefined }),
      })
    case 'restoreStage':
      return press(context, {
        to: backTo(request, here),
        sorry: sorry.restoreStage,
        done: { tone: 'success', title: 'Stage restored' },
        work: (ctx) => restoreStage(ctx, id),
      })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

export const clientAction = keepTyped(sorry)

/** What was chosen and is gone meanwhile is told beside its field; what was typed stays. */
async function besideField<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const field =
      error instanceof AppError
        ? { 'Stage not found': 'stageId', 'Product not found': 'productId' }[error.message]
        : undefined
    throw field ? new AppError('not_found', 'This was deleted meanwhile. Choose another one.', { field }) : error
  }
}

/** Without an email address, or room on the plan, the way leads to where one is added. */
async function converting(work: () => Promise<Response>, here: string, id: number): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const needsEmail = error.issues?.some(({ path }) => path === 'email')
    const to = needsEmail ? `${here}${here.includes('?') ? '&' : '?'}dialog=edit&prospect=${id}&needs=email` : here
    const link = error.code === 'plan_limit' ? { link: { label: 'Upgrade Plan', to: '/upgrade' } } : {}
    return redirectWithToast(to, { tone: 'error', title: 'Error', text: error.message, ...link })
  }
}

/** When another tab saved meanwhile, the page shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

/** Who comes from another screen sees at once where it leads, and the board when it is here. */
export function clientLoader({
  request,
  serverLoader,
}: ClientLoaderFunctionArgs): Promise<Loaded> | { later: Promise<Loaded> } {
  const asked = serverLoader<typeof loader>()
  return onScreen || new URL(request.url).searchParams.has('openProspectModal') ? asked : { later: asked }
}

type Loaded = SerializeFrom<typeof loader>
let onScreen = false

export default function PipelinePage() {
  const data = useLoaderData<Loaded | { later: Promise<Loaded> }>()
  const [arrived, setArrived] = useState<Loaded | null>(null)
  const later = 'later' in data ? data.later : null
  useEffect(() => {
    onScreen = true
    return () => void (onScreen = false)
  }, [])
  useEffect(() => {
    // What went wrong is the server's to say: as a page of its own.
    later?.then(
      (board) => startTransition(() => setArrived(board)),
      () => window.location.reload(),
    )
  }, [later])
  const loaded = 'later' in data ? arrived : data
  return loaded ? <Pipeline {...loaded} /> : <Coming />
}

function Coming() {
  return (
    <Page wide title="Sales Pipeline" crumbs={crumbs}>
      <p className="grid min-h-[50dvh] place-items-center text-ink-3" role="status">
        <Spinner />
        <span className="sr-only">Loading the pipeline</span>
      </p>
    </Page>
  )
}

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Pipeline' }]

function Pipeline({ state, all, sources, stages, cards, dialog: asked }: Loaded) {
  const dialog = useKept(asked)
  const here = boardAddress(state)
  const filtered = isFiltered(state)
  const { columns, move, again } = useMoves(stages, cards, filtered)
  const { ordered, reorder } = useStageOrder(stages, again)
  const begins = useMemo(() => ({ stage: state.stage, from: state.from }), [state.stage, state.from])

  return (
    <Page
      wide
      title="Sales Pipeline"
      crumbs={crumbs}
      sentence={<Sum cards={cards} all={all} filtered={filtered} />}
      actions={
        <>
          <SecondaryLink to={boardAddress(state, { dialog: 'add-stage' })} icon={Columns3} preventScrollReset>
            Add Stage
          </SecondaryLink>
          <PrimaryLink to={boardAddress(state, { dialog: 'add' })} icon={Plus} preventScrollReset>
            Add Prospect
          </PrimaryLink>
        </>
      }
    >
      {all > 0 && <FilterBar state={state} sources={sources} />}
      <Board stages={ordered} columns={columns} here={here} begins={begins} onMove={move} onReorder={reorder} />

      {dialog && <PipelineDialog dialog={dialog} stages={ordered} sources={sources} here={here} />}
    </Page>
  )
}

/** A prospect that goes while its dialog is open leaves what was typed there: only saving is told. */
function useKept(asked: Asked): Asked {
  const [kept, setKept] = useState(asked)
  const goes =
    (asked?.kind === 'gone' || asked?.kind === 'converted') && kept?.kind === 'edit' && kept.prospect.id === asked.id
  if (!goes && kept !== asked) setKept(asked)
  return goes ? kept : asked
}

function Sum({
  cards,
  all,
  filtered,
}: {
  cards: { value: number; probability: number }[]
  all: number
  filtered: boolean
}) {
  if (!all) return 'Nobody here yet. Add the first person who might become a client.'
  if (filtered && !cards.length) return `None of ${prospectsOf(all)} fits. Clear the filters to see all of them.`
  const count = filtered ? `${cards.length.toLocaleString('en-US')} of ${prospectsOf(all)}` : prospectsOf(all)
  return (
    <span className="num">
      {count}, {dollarsOf(cards.reduce((sum, { value }) => sum + value, 0))} in total, {aboutDollars(weighted(cards))}{' '}
      weighted
    </span>
  )
}
