import { AppError } from '#app/lib/errors.ts'
import { centsAsDecimal } from '#app/lib/money.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { ago, dateOf, dayOf } from '#app/lib/time.ts'
import { otherZones } from '#app/lib/timezones.ts'
import { productOf, productsForSale } from '#modules/billing/index.ts'
import { fill } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import { activitiesOf } from './queries/activities.ts'
import type { Board } from './queries/board.ts'
import { becameClient, prospectOnScreen } from './queries/prospects.ts'
import { stageOnScreen } from './queries/stages.ts'
import type { ProspectPlace } from './slots.ts'

/** What the dialog that the address asks for shows; null for none. */
export async function dialogOf(ctx: Ctx, params: URLSearchParams, { stages, rows }: Board) {
  const kind = params.get('dialog')
  const stage = stages.find(({ id }) => String(id) === params.get('stage')) ?? null
  switch (kind) {
    case 'add':
      return {
        kind,
        stageId: stage ? String(stage.id) : undefined,
        products: await productChoices(ctx, null),
        zones: otherZones(),
      } as const
    case 'edit': {
      const id = parseId(params.get('prospect'))
      const prospect = await edited(ctx, id)
      if (!prospect) return gone(ctx, id)
      return {
        kind,
        prospect,
        needsEmail: params.get('needs') === 'email',
        products: await productChoices(ctx, prospect.productId),
        zones: otherZones(prospect.timezone || null),
      } as const
    }
    case 'delete': {
      const id = parseId(params.get('prospect'))
      const prospect = await found(prospectOnScreen(ctx, id))
      return prospect ? ({ kind, id, name: prospect.name } as const) : gone(ctx, id)
    }
    case 'add-stage':
      return { kind } as const
    case 'edit-stage': {
      const opened = stage && (await found(stageOnScreen(ctx, stage.id)))
      return opened
        ? ({ kind, stage: { id: opened.id, name: opened.name, color: opened.color, version: opened.version } } as const)
        : stageGone
    }
    case 'delete-stage':
      return stage
        ? ({
            kind,
            stage: { id: stage.id, name: stage.name, color: stage.color },
            holds: await countIn(ctx, stage.id, rows),
          } as const)
        : stageGone
    default:
      return null
  }
}

const stageGone = { kind: 'stage-gone' } as const

/** The latest; all that was done stands in the history. */
const shownActivities = 20

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
  const {
    coachId: _coach,
    position: _position,
    createdAt: _created,
    updatedAt: _updated,
    version,
    value,
    probability,
    stageId,
    productId,
    nextFollowUp,
    ...words
  } = prospect
  const { id: _id, ...texts } = words
  const [activities, filled] = await Promise.all([
    activitiesOf(ctx, id, { rows: shownActivities + 1 }),
    fill(ctx, 'prospect.menu'),
  ])
  return {
    id,
    version,
    ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? ''])) as {
      [Name in keyof typeof texts]: string
    }),
    value: value ? centsAsDecimal(value) : '',
    probability: String(probability),
    stageId: String(stageId),
    productId: productId === null ? '' : String(productId),
    nextFollowUp: nextFollowUp ? dateOf(nextFollowUp, zone) : '',
    activities: activities.slice(0, shownActivities).map(({ id: key, description, createdAt }) => ({
      id: key,
      description,
      when:
        now.getTime() - new Date(createdAt).getTime() < 7 * 86_400_000 ? ago(createdAt, now) : dayOf(createdAt, zone),
    })),
    more: activities.length > shownActivities,
    places: filled
      .flatMap(({ data }) => data as ProspectPlace[])
      .map(({ label, to }) => ({ label, to: to.replace('{id}', String(id)) })),
  }
}

/** What can be chosen: what is on sale, and what was chosen when it was. */
async function productChoices(ctx: Ctx, chosen: string | null) {
  const offered = (await productsForSale(ctx)).map(({ id, name }) => ({ value: String(id), label: name }))
  if (!chosen || offered.some(({ value }) => value === chosen)) return offered
  const hidden = await found(productOf(ctx, Number(chosen)))
  return [...offered, { value: chosen, label: hidden?.name ?? 'A product that was deleted' }]
}

async function countIn(ctx: Ctx, stageId: number, rows: Board['rows']): Promise<number> {
  const [row] = await ctx.rows<{ count: number }>({
    name: 'pipeline.in-stage',
    text: 'select count(*) from prospect where stage_id = $1 and deleted_at is null and converted_at is null',
    values: [stageId],
  })
  return row?.count ?? rows.length
}
