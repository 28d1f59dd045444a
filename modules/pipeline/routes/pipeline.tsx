import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, type SerializeFrom } from '@remix-run/node'
import { useLoaderData, type ClientLoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Columns3, Plus } from 'lucide-react'
import { startTransition, useEffect, useMemo, useState } from 'react'
import { AppError } from '#app/lib/errors.ts'
import { centsAsDecimal } from '#app/lib/money.ts'
import { recordId } from '#app/lib/record-id.ts'
import { formOf, redirectWithToast, submit } from '#app/lib/submit.ts'
import { ago, dateOf, dayOf, noonOf } from '#app/lib/time.ts'
import { otherZones } from '#app/lib/timezones.ts'
import { chosen } from '#app/lib/two-tabs.ts'
import { PrimaryLink, SecondaryLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { GoneDialog } from '#app/ui/gone-dialog.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Page } from '#app/ui/page.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { productsNewestFirst } from '#modules/billing/index.ts'
import { attempt, press } from '#modules/press.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { boardAddress, boardState, isFiltered } from '../board-state.ts'
import { Board } from '../components/board.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { ConvertedDialog, ProspectDialog } from '../components/prospect-dialog.tsx'
import { DeleteStageDialog, StageDialog } from '../components/stage-dialogs.tsx'
import { useMoves, useStageOrder } from '../components/use-moves.ts'
import { ProspectEditForm, ProspectForm, StageForm } from '../forms.ts'
import { activitiesOf } from '../queries/activities.ts'
import { boardOf, type Board as Rows } from '../queries/board.ts'
import { becameClient, prospectOnScreen } from '../queries/prospects.ts'
import { convertProspect } from '../services/conversion.ts'
import { addProspect, deleteProspect, editProspect, restoreProspect } from '../services/prospects.ts'
import { addStage, deleteStage, editStage, placeStage, restoreStage } from '../services/stages.ts'
import { dollarsOf, followUpWords, prospectsOf, weighted } from '../words.ts'

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

async function dialogOf(ctx: Ctx, params: URLSearchParams, { stages, rows }: Rows) {
  const kind = params.get('dialog')
  const stage = stages.find(({ id }) => String(id) === params.get('stage')) ?? null
  switch (kind) {
    case 'add':
      return { kind, stageId: stage ? String(stage.id) : undefined, products: await productChoices(ctx, null), zones: otherZones() } as const
    case 'edit': {
      const id = recordId(params.get('prospect'))
      const prospect = await edited(ctx, id)
      if (!prospect) return gone(ctx, id)
      return { kind, prospect, needsEmail: params.get('needs') === 'email', products: await productChoices(ctx, prospect.productId), zones: otherZones(prospect.timezone || null) } as const
    }
    case 'delete': {
      const id = recordId(params.get('prospect'))
      const prospect = await found(prospectOnScreen(ctx, id))
      return prospect ? ({ kind, id, name: prospect.name } as const) : gone(ctx, id)
    }
    case 'add-stage':
      return { kind } as const
    case 'edit-stage':
      return stage ? ({ kind, stage: { id: stage.id, name: stage.name, color: stage.color } } as const) : stageGone
    case 'delete-stage':
      return stage ? ({ kind, stage: { id: stage.id, name: stage.name, color: stage.color }, holds: await countIn(ctx, stage.id, rows) } as const) : stageGone
    default:
      return null
  }
}

const stageGone = { kind: 'stage-gone' } as const

/** Deleted or converted, perhaps by another tab. */
async function gone(ctx: Ctx, id: number) {
  const client = await becameClient(ctx, id)
  return client ? ({ kind: 'converted', id, ...client } as const) : ({ kind: 'gone', id } as const)
}

async function found<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

async function edited(ctx: Ctx, id: number) {
  const prospect = await found(prospectOnScreen(ctx, id))
  if (!prospect) return null
  const now = ctx.now()
  const zone = ctx.account.timezone
  const { coachId: _coach, position: _position, createdAt: _created, updatedAt: _updated, version, value, probability, stageId, productId, nextFollowUp, ...words } = prospect
  const { id: _id, ...texts } = words
  return {
    id,
    version,
    ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? ''])) as { [Name in keyof typeof texts]: string }),
    value: value ? centsAsDecimal(value) : '',
    probability: String(probability),
    stageId: String(stageId),
    productId: productId === null ? '' : String(productId),
    nextFollowUp: nextFollowUp ? dateOf(nextFollowUp, zone) : '',
    activities: (await activitiesOf(ctx, id)).map(({ id: key, description, createdAt }) => ({
      id: key,
      description,
      when: now.getTime() - new Date(createdAt).getTime() < 7 * 86_400_000 ? ago(createdAt, now) : dayOf(createdAt, zone),
    })),
  }
}

/** What can be chosen: what is on sale, and what was chosen when it was. */
async function productChoices(ctx: Ctx, chosen: string | null) {
  const products = await productsNewestFirst(ctx)
  const offered = products.filter(({ id, isActive }) => isActive || String(id) === chosen).map(({ id, name }) => ({ value: String(id), label: name }))
  return chosen && !offered.some(({ value }) => value === chosen) ? [...offered, { value: chosen, label: 'A product that was deleted' }] : offered
}

async function countIn(ctx: Ctx, stageId: number, rows: Rows['rows']): Promise<number> {
  const [row] = await ctx.rows<{ count: number }>({
    name: 'pipeline.in-stage',
    text: 'select count(*) from prospect where stage_id = $1 and deleted_at is null and converted_at is null',
    values: [stageId],
  })
  return row?.count ?? rows.length
}

export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const form = await formOf(request.clone())
  const here = boardAddress(boardState(new URL(request.url).searchParams))
  const id = recordId(form.get('id'))
  const zone = context.coach().account.timezone
  const undo = (label: string, intent: string) => ({ tone: 'success', title: label, action: { label: 'Undo', to: '/pipeline', fields: { intent, id: String(id) } } }) as const
  switch (form.get('intent')) {
    case 'add':
      return submit(
        request,
        ProspectForm,
        ({ nextFollowUp, ...input }) => besideField(
            attempt(context, 'Failed to create prospect. Please try again.', (ctx) => addProspect(ctx, { ...input, nextFollowUp: nextFollowUp === null ? null : noonOf(nextFollowUp, zone) })),
          ),
        { to: here, toast: 'Prospect created' },
      )
    case 'edit':
      return submit(
        request,
        ProspectEditForm,
        ({ version, openedIn, ...input }) =>
          besideField(attempt(context, 'Failed to update prospect. Please try again.', (ctx) => {
            const { stageId, nextFollowUp, ...sent } = chosen(input, form)
            return editProspect(
              ctx,
              id,
              {
                ...sent,
                // Who moved it meanwhile is not overruled by a form that only stood open.
                ...(stageId === openedIn ? {} : { stageId }),
                ...(nextFollowUp === undefined ? {} : { nextFollowUp: nextFollowUp === null ? null : noonOf(nextFollowUp, zone) }),
              },
              version,
            )
          })),
        { to: here, toast: 'Prospect updated' },
      )
    case 'delete':
      return press(context, { to: here, sorry: 'Failed to delete prospect. Please try again.', done: undo('Prospect deleted', 'restore'), work: (ctx) => deleteProspect(ctx, id) })
    case 'restore':
      return press(context, { to: here, sorry: 'Failed to restore prospect. Please try again.', done: { tone: 'success', title: 'Prospect restored' }, work: (ctx) => restoreProspect(ctx, id) })
    case 'convert':
      return converting(async () => {
        const client = await attempt(context, 'Failed to convert prospect. Please try again.', (ctx) => convertProspect(ctx, id))
        return redirectWithToast(here, {
          tone: 'success',
          title: 'Success',
          text: `${client.name} is a client now.`,
          link: { label: 'View client', to: `/clients/${client.id}` },
        })
      }, here, id)
    case 'addStage':
      return submit(
        request,
        StageForm,
        ({ place, ...input }) => attempt(context, 'Failed to create stage. Please try again.', async (ctx) => placeStage(ctx, (await addStage(ctx, { ...input, order: null })).id, place)),
        { to: here, toast: 'Stage created' },
      )
    case 'editStage':
      return submit(
        request,
        StageForm,
        ({ place, ...input }) => attempt(context, 'Failed to update stage. Please try again.', async (ctx) => {
          await editStage(ctx, id, input)
          await placeStage(ctx, id, place)
        }),
        { to: here, toast: 'Stage updated' },
      )
    case 'deleteStage':
      return press(context, {
        to: here,
        sorry: 'Failed to delete stage. Please try again.',
        done: undo('Stage deleted', 'restoreStage'),
        work: (ctx) => deleteStage(ctx, id, { moveTo: form.has('moveTo') ? String(form.get('moveTo')) : undefined }),
      })
    case 'restoreStage':
      return press(context, { to: here, sorry: 'Failed to restore stage. Please try again.', done: { tone: 'success', title: 'Stage restored' }, work: (ctx) => restoreStage(ctx, id) })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

/** What was chosen and is gone meanwhile is told beside its field; what was typed stays. */
async function besideField<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const field = error instanceof AppError ? { 'Stage not found': 'stageId', 'Product not found': 'productId' }[error.message] : undefined
    throw field ? new AppError('not_found', 'This was deleted meanwhile. Choose another one.', { field }) : error
  }
}

/** Without an email address the way leads to where one is added. */
async function converting(work: () => Promise<Response>, here: string, id: number): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const needsEmail = error.issues?.some(({ path }) => path === 'email')
    const to = needsEmail ? `${here}${here.includes('?') ? '&' : '?'}dialog=edit&prospect=${id}&needs=email` : here
    return redirectWithToast(to, { tone: 'error', title: 'Error', text: error.message })
  }
}

/** When another tab saved meanwhile, the page shows what it saved. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || defaultShouldRevalidate
}

/** Who comes from another screen sees at once where it leads, and the board when it is here. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<Loaded> | { later: Promise<Loaded> } {
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
    later?.then((board) => startTransition(() => setArrived(board)), () => window.location.reload())
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
  const choices = stages.map(({ id, name }) => ({ value: String(id), label: name }))
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

      {dialog?.kind === 'add' && <ProspectDialog stages={choices} stageId={dialog.stageId} products={dialog.products} zones={dialog.zones} sources={sources} closeTo={here} />}
      {dialog?.kind === 'edit' && (
        <ProspectDialog
          key={dialog.prospect.id}
          prospect={dialog.prospect}
          needsEmail={dialog.needsEmail}
          stages={choices}
          products={dialog.products}
          zones={dialog.zones}
          sources={sources}
          closeTo={here}
        />
      )}
      {dialog?.kind === 'gone' && <GoneDialog what="Prospect" kind="prospect" closeTo={here} />}
      {dialog?.kind === 'converted' && <ConvertedDialog name={dialog.name} clientId={dialog.clientId} closeTo={here} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog title={`Delete ${dialog.name}`} confirm="Delete Prospect" busyLabel="Deleting..." closeTo={here} action={here} fields={{ intent: 'delete', id: String(dialog.id) }}>
          Are you sure you want to delete this prospect? It is kept in the trash for 30 days.
        </ConfirmDialog>
      )}
      {dialog?.kind === 'add-stage' && <StageDialog places={placesOf(ordered, null)} closeTo={here} />}
      {dialog?.kind === 'edit-stage' && (
        <StageDialog
          key={dialog.stage.id}
          stage={{ ...dialog.stage, place: ordered.findIndex(({ id }) => id === dialog.stage.id) }}
          places={placesOf(ordered, dialog.stage.id)}
          closeTo={here}
        />
      )}
      {dialog?.kind === 'stage-gone' && <GoneDialog what="Stage" kind="pipeline_stage" closeTo={here} />}
      {dialog?.kind === 'delete-stage' && (
        <DeleteStageDialog key={dialog.stage.id} stage={dialog.stage} holds={dialog.holds} others={choices.filter(({ value }) => value !== String(dialog.stage.id))} closeTo={here} />
      )}
    </Page>
  )
}

type Asked = Loaded['dialog']

/** A prospect that goes while its dialog is open leaves what was typed there: only saving is told. */
function useKept(asked: Asked): Asked {
  const [kept, setKept] = useState(asked)
  const goes = (asked?.kind === 'gone' || asked?.kind === 'converted') && kept?.kind === 'edit' && kept.prospect.id === asked.id
  if (!goes && kept !== asked) setKept(asked)
  return goes ? kept : asked
}

function Sum({ cards, all, filtered }: { cards: { value: number; probability: number }[]; all: number; filtered: boolean }) {
  if (!all) return 'Nobody here yet. Add the first person who might become a client.'
  if (filtered && !cards.length) return `None of ${prospectsOf(all)} fits. Clear the filters to see all of them.`
  const count = filtered ? `${cards.length.toLocaleString('en-US')} of ${prospectsOf(all)}` : prospectsOf(all)
  return (
    <span className="num">
      {count}, {dollarsOf(cards.reduce((sum, { value }) => sum + value, 0))} in total, {dollarsOf(weighted(cards))} weighted
    </span>
  )
}

/** 'First', 'After Lead', …: where a stage can stand among the others. */
function placesOf(stages: { id: number; name: string }[], own: number | null) {
  const others = stages.filter(({ id }) => id !== own)
  return [{ value: '0', label: 'First' }, ...others.map(({ name }, at) => ({ value: String(at + 1), label: `After ${name}` }))]
}
