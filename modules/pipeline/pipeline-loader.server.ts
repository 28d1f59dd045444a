import { ignoreNotFound } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { formatRelative, localDate, formatDate, dayMs } from '#app/lib/time.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import { getProduct, listProductsForSale } from '#modules/billing/index.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import { listActivities } from './queries/activities.ts'
import type { Board } from './queries/board.ts'
import { findConvertedClient, getProspectForEdit } from './queries/prospects.ts'
import { getStageForEdit } from './queries/stages.ts'
import { onBoardSql, type ProspectRecord } from './records.ts'
import type { ProspectLink } from './slots.ts'

/** The data of the dialog in the URL, or null. */
export async function loadDialog(ctx: Ctx, params: URLSearchParams, { stages }: Board) {
  const kind = params.get('dialog')
  const stage = stages.find(({ id }) => String(id) === params.get('stage')) ?? null
  switch (kind) {
    case 'add':
      return {
        kind,
        stageId: stage ? String(stage.id) : undefined,
        products: await listProductChoices(ctx, null),
        zones: otherTimezones(),
      } as const
    case 'edit': {
      const id = parseId(params.get('prospect'))
      const prospect = await getEditedProspect(ctx, id)
      if (!prospect) return notFoundDialog(ctx, id)
      return {
        kind,
        prospect,
        needsEmail: params.get('needs') === 'email',
        products: await listProductChoices(ctx, prospect.productId),
        zones: otherTimezones(prospect.timezone || null),
      } as const
    }
    case 'delete': {
      const id = parseId(params.get('prospect'))
      const prospect = await getProspectForEdit(ctx, id).catch(ignoreNotFound)
      return prospect ? ({ kind, id, name: prospect.name } as const) : notFoundDialog(ctx, id)
    }
    case 'add-stage':
      return { kind } as const
    case 'edit-stage': {
      const edited = stage && (await getStageForEdit(ctx, stage.id).catch(ignoreNotFound))
      if (!edited) return stageNotFoundDialog
      const { id, name, color, version } = edited
      return { kind, stage: { id, name, color, version } } as const
    }
    case 'delete-stage': {
      if (!stage) return stageNotFoundDialog
      const { id, name, color } = stage
      return { kind, stage: { id, name, color }, prospectCount: await countStageProspects(ctx, id) } as const
    }
    default:
      return null
  }
}

const stageNotFoundDialog = { kind: 'stage-not-found' } as const

const maxActivities = 20

/** For a prospect that was deleted or converted, perhaps in another tab. */
async function notFoundDialog(ctx: Ctx, id: number) {
  const client = await findConvertedClient(ctx, id)
  return client ? ({ kind: 'converted', id, ...client } as const) : ({ kind: 'not-found', id } as const)
}

async function getEditedProspect(ctx: Ctx, id: number) {
  const prospect = await getProspectForEdit(ctx, id).catch(ignoreNotFound)
  if (!prospect) return null
  const [activities, links] = await Promise.all([loadActivities(ctx, id), loadLinks(ctx, id)])
  const { nextFollowUp } = prospect
  return {
    ...toProspectView(prospect),
    /** A day in the coach's time zone. */
    nextFollowUp: nextFollowUp && localDate(nextFollowUp, ctx.account.timezone),
    ...activities,
    links,
  }
}

/** Leaves out what the dialog doesn't show. */
function toProspectView<P extends ProspectRecord>({
  coachId: _coachId,
  position: _position,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...view
}: P) {
  return view
}

async function loadActivities(ctx: Ctx, prospectId: number) {
  const now = ctx.now()
  const weekAgo = now.getTime() - 7 * dayMs
  const activities = await listActivities(ctx, prospectId, { rows: maxActivities + 1 })
  return {
    activities: activities.slice(0, maxActivities).map(({ id, description, createdAt }) => ({
      id,
      description,
      when:
        Date.parse(createdAt) > weekAgo ? formatRelative(createdAt, now) : formatDate(createdAt, ctx.account.timezone),
    })),
    hasMoreActivities: activities.length > maxActivities,
  }
}

async function loadLinks(ctx: Ctx, prospectId: number) {
  const contributions = await fillSlot(ctx, 'prospect.menu')
  return contributions
    .flatMap(({ data }) => data as ProspectLink[])
    .map(({ label, to }) => ({ label, to: to.replace('{id}', String(prospectId)) }))
}

/** The products for sale, and the current one even if it is hidden or deleted. */
async function listProductChoices(ctx: Ctx, currentId: number | null) {
  const choices = (await listProductsForSale(ctx)).map(({ id, name }) => ({ value: String(id), label: name }))
  if (!currentId || choices.some(({ value }) => value === String(currentId))) return choices
  const hidden = await getProduct(ctx, currentId).catch(ignoreNotFound)
  return [...choices, { value: String(currentId), label: hidden?.name ?? 'A deleted product' }]
}

async function countStageProspects(ctx: Ctx, stageId: number): Promise<number> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'pipeline.count-stage-prospects',
    text: `select count(*) from prospect where coach_id = $1 and stage_id = $2 and ${onBoardSql}`,
    values: [ctx.coachId, stageId],
  })
  return row!.count
}
