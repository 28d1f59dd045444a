import { useCurrency } from '#app/ui/components/currency.ts'
import { formatMoney } from '#app/lib/money.ts'
import {
  redirect,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from '@remix-run/node'
import { useLoaderData, type ClientLoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Columns3, Plus } from 'lucide-react'
import { startTransition, useEffect, useState } from 'react'
import { AppError } from '#app/lib/errors.ts'
import { withQuery } from '#app/lib/url.ts'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { noonIn } from '#app/lib/time.ts'
import { useRevalidateAcrossTabs } from '#app/ui/navigation/use-revalidate-across-tabs.ts'
import { PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Spinner } from '#app/ui/components/spinner.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { boardUrl, isFiltered, stagePageUrl } from '../board-state.ts'
import { Board } from '../components/board.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { PipelineDialog, type DialogData } from '../components/pipeline-dialog.tsx'
import { useCardMoves, useStageOrder } from '../components/use-optimistic-moves.ts'
import { loadDialog } from '../pipeline-loader.server.ts'
import {
  ConvertForm,
  DeleteStageForm,
  MoveForm,
  ProspectEditForm,
  ProspectForm,
  StageEditForm,
  StageForm,
} from '../forms.ts'
import { getBoard } from '../queries/board.ts'
import { convertProspect, undoConversion } from '../services/conversion.ts'
import { createProspect, deleteProspect, updateProspect, restoreProspect } from '../services/prospects.ts'
import { createStage, deleteStage, updateStage, moveStageTo, restoreStage } from '../services/stages.ts'
import { formatFollowUp, formatProspectCount, weightedValue } from '../format.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Pipeline')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const url = new URL(request.url)
  const filters = boardUrl.parse(url)
  if (url.searchParams.get('openProspectModal') === 'true')
    throw redirect(withQuery(boardUrl.href(filters), { dialog: 'add' }))
  const board = await getBoard(ctx, filters)
  const zone = ctx.account.timezone
  const now = ctx.now()
  return {
    filters,
    page: stagePageUrl.parse(url),
    total: board.total,
    sources: board.sources,
    stages: board.stages.map(({ id, name, color }) => ({ id, name, color })),
    cards: board.rows.map(({ title, company, nextFollowUp, ...card }) => ({
      ...card,
      about: [title, company].filter(Boolean).join(', '),
      followUp: nextFollowUp && formatFollowUp(nextFollowUp, now, zone),
    })),
    dialog: await loadDialog(ctx, url.searchParams, board),
  }
}

const messages = {
  add: { done: 'Prospect created', failed: 'Failed to create prospect. Please try again.' },
  edit: { done: 'Prospect updated', failed: 'Failed to update prospect. Please try again.' },
  move: { done: 'Prospect moved', failed: 'Failed to move prospect. Please try again.' },
  delete: { done: 'Prospect deleted', failed: 'Failed to delete prospect. Please try again.' },
  restore: { done: 'Prospect restored', failed: 'Failed to restore prospect. Please try again.' },
  convert: { done: 'Success', failed: 'Failed to convert prospect. Please try again.' },
  undoConvert: { done: 'Conversion undone', failed: 'Failed to undo the conversion. Please try again.' },
  addStage: { done: 'Stage created', failed: 'Failed to create stage. Please try again.' },
  editStage: { done: 'Stage updated', failed: 'Failed to update stage. Please try again.' },
  deleteStage: { done: { title: 'Stage deleted' }, failed: 'Failed to delete stage. Please try again.' },
  restoreStage: { done: 'Stage restored', failed: 'Failed to restore stage. Please try again.' },
}

export const action = formActions(
  messages,
  {
    add: {
      schema: ProspectForm,
      run: (ctx, input) => createProspect(ctx, { ...input, nextFollowUp: toFollowUp(ctx, input.nextFollowUp) }),
      onError: atDeletedChoice,
    },
    edit: {
      schema: ProspectEditForm,
      run: (ctx, { id, version, openedIn, stageId, nextFollowUp, ...input }) =>
        updateProspect(
          ctx,
          id,
          {
            ...input,
            // An unchanged stage must not undo a move in another tab.
            ...(stageId === openedIn ? {} : { stageId }),
            ...(nextFollowUp === undefined ? {} : { nextFollowUp: toFollowUp(ctx, nextFollowUp) }),
          },
          { version, stageId: openedIn },
        ),
      onError: (error) => atDeletedChoice(error) ?? updateFailure(error),
    },
    move: {
      schema: MoveForm,
      isButton: true,
      run: (ctx, { id, stageId }) => updateProspect(ctx, id, { stageId }),
    },
    delete: { schema: ById, run: (ctx, { id }) => deleteProspect(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreProspect(ctx, id), to: ({ page }) => page },
    convert: { schema: ConvertForm, isButton: true, run: convert, onError: conversionFailure },
    undoConvert: { schema: MoveForm, isButton: true, run: undoConversion, to: ({ page }) => page },
    addStage: {
      schema: StageForm,
      run: async (ctx, { position, ...input }) => moveStageTo(ctx, (await createStage(ctx, input)).id, position),
    },
    editStage: {
      schema: StageEditForm,
      run: async (ctx, { id, version, position, openedAt, ...input }) => {
        await updateStage(ctx, id, input, version)
        // An unchanged position must not undo a new order from another tab.
        if (position !== undefined && position !== openedAt) await moveStageTo(ctx, id, position, openedAt)
      },
    },
    deleteStage: {
      schema: DeleteStageForm,
      run: (ctx, { id, moveTo }) => deleteStage(ctx, id, { moveTo }),
      undo: 'restoreStage',
      isButton: true,
    },
    restoreStage: { schema: ById, run: (ctx, { id }) => restoreStage(ctx, id), to: ({ page }) => page },
  },
  { home: '/pipeline', dialog: ['dialog', 'prospect', 'stage', 'needs'], authorize },
)

export const clientAction = formClientAction(messages)

/** part-2 §5 */
function authorize(context: AppLoadContext, intent: string): void {
  if (!context.account && intent === 'edit')
    throw new AppError('unauthorized', 'User session invalid. Please refresh the page.')
  context.coach()
}

/** The follow-up is a day in the form, and noon of that day in the record. */
const toFollowUp = ({ account }: Ctx, day: string | null): Date | null =>
  day === null ? null : noonIn(day, account.timezone)

/** Shows a deleted stage or product as an error of its field. */
function atDeletedChoice({ code, subject }: AppError) {
  const field = code === 'not_found' ? { stage: 'stageId', product: 'productId' }[subject ?? ''] : undefined
  return field ? { field, message: 'This has been deleted. Choose another.' } : undefined
}

/** part-2 §8. Conflicts and deleted prospects have a notice of their own. */
function updateFailure({ code, status, message, issues }: AppError) {
  const hasReason = status >= 400 && status < 500 && !issues
  const hasNotice = code === 'conflict' || code === 'not_found' || code === 'unauthorized'
  return hasReason && !hasNotice ? { message: `Failed to update prospect: ${status} - ${message}` } : undefined
}

async function convert(ctx: WriteCtx, { id, stageId }: ConvertForm) {
  const client = await convertProspect(ctx, id)
  const link = { label: 'View client', to: `/clients/${client.id}` }
  const undo = {
    label: 'Undo',
    to: '/pipeline',
    fields: { intent: 'undoConvert', id: String(id), stageId: String(stageId) },
  }
  const toast = { title: 'Success', text: `${client.name} is a client now.`, link }
  return success({ toast: stageId === undefined ? toast : { ...toast, action: undo } })
}

/** Leads to where the failure can be solved: the email field of the prospect, or the upgrade. */
function conversionFailure({ code, issues }: AppError, { form, closed }: FormRequest) {
  if (code === 'plan_limit') return { link: { label: 'Upgrade Plan', to: '/upgrade' } }
  if (!issues?.some(({ path }) => path === 'email')) return undefined
  return { to: withQuery(closed, { dialog: 'edit', prospect: String(form.get('id')), needs: 'email' }) }
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

function Pipeline({ filters, page, total, sources, stages, cards, dialog: loadedDialog }: PageData) {
  const revalidate = useRevalidateAcrossTabs('pipeline')
  const { columns, moveCard } = useCardMoves(stages, cards, isFiltered(filters), revalidate)
  const { orderedStages, reorderStages } = useStageOrder(stages, revalidate)
  const dialog = useDialogWhileEditing(loadedDialog)
  const url = boardUrl.href(filters)
  return (
    <Page
      wide
      title={title}
      crumbs={crumbs}
      description={<Totals cards={cards} total={total} isFiltered={isFiltered(filters)} />}
      actions={
        <>
          <SecondaryLink to={withQuery(url, { dialog: 'add-stage' })} icon={Columns3} preventScrollReset>
            Add Stage
          </SecondaryLink>
          <PrimaryLink to={withQuery(url, { dialog: 'add' })} icon={Plus} preventScrollReset>
            Add Prospect
          </PrimaryLink>
        </>
      }
    >
      {total > 0 && <FilterBar filters={filters} sources={sources} />}
      <Board
        stages={orderedStages}
        columns={columns}
        boardUrl={url}
        page={page}
        onMove={moveCard}
        onReorder={reorderStages}
      />
      {dialog && <PipelineDialog dialog={dialog} stages={orderedStages} sources={sources} boardUrl={url} />}
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
  const currency = useCurrency()
  if (!total) return 'No prospects yet. Add the first person who might become a client.'
  if (hasFilter && !cards.length) return 'No prospects match these filters.'
  const count = formatProspectCount(total)
  const value = formatMoney(
    cards.reduce((sum, card) => sum + card.value, 0),
    currency,
    { cents: 'needed' },
  )
  return (
    <span className="num">
      {hasFilter ? `${cards.length.toLocaleString('en-US')} of ${count}` : count}, {value} in total,{' '}
      {formatMoney(weightedValue(cards), currency, { cents: 'never' })} weighted
    </span>
  )
}
