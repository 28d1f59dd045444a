import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { templateCreated, templateDeleted, templateRestored, templateUpdated } from '../events.ts'
import { limits, type TemplateItem, type TemplateMilestone } from '../fields.ts'
import type { ItemForm, ItemInput, MilestoneForm, MilestonesInput, NewTemplate, TemplateEdit } from '../forms.ts'
import { assertItems, assertKind } from '../parts.ts'
import { getTemplate } from '../queries/templates.ts'
import { template, type TemplateRecord } from '../records.ts'
import { ProgramTemplate } from '../schema.ts'

/** Throws plan_limit, and as `toMilestones` does. */
export async function createTemplate(
  ctx: WriteCtx,
  { name, description, milestones }: NewTemplate,
): Promise<TemplateRecord> {
  authorize(ctx, 'programs:template:write')
  const kept = await toMilestones(ctx, milestones)
  await assertStorage(ctx)
  const now = ctx.now()
  const row = ctx.em.create(ProgramTemplate, {
    coachId: ctx.coachId,
    name,
    description,
    milestones: kept,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, templateCreated, { templateId: row.id })
  return getTemplate(ctx, row.id)
}

/** The milestones as the row keeps them. Throws as `assertItems` does for items that `former` doesn't have. */
async function toMilestones(
  ctx: WriteCtx,
  milestones: MilestonesInput,
  former: TemplateMilestone[] = [],
): Promise<TemplateMilestone[]> {
  const listed = milestones.map((milestone) => ({ ...milestone, items: milestone.items.map(toItem) }))
  await assertItems(
    ctx,
    listed.flatMap(({ items }, at) =>
      items.map((item, index) => ({ ...item, path: `milestones.${at}.items.${index}.` })),
    ),
    former.flatMap((milestone) => milestone.items),
  )
  return listed.map((milestone) => ({
    id: createId(),
    ...milestone,
    items: milestone.items.map((item) => ({ id: createId(), ...item })),
  }))
}

/** Only checklist items and tasks can be the coach's. */
const toItem = (item: ItemInput): ItemInput =>
  item.kind === 'check' || item.kind === 'task' ? { ...item, choiceId: null } : { ...item, owner: 'client' }

const createId = (): string => randomBytes(6).toString('hex')

/**
 * Changes the fields that are sent; `milestones` replaces all of them. Throws not_found, plan_limit, as `toMilestones`
 * does, and conflict if it was saved after `expectedVersion`.
 */
export async function updateTemplate(
  ctx: WriteCtx,
  id: number,
  { milestones, ...input }: TemplateEdit,
  expectedVersion?: number,
): Promise<TemplateRecord> {
  authorize(ctx, 'programs:template:write')
  const former = await getTemplate(ctx, id)
  if (!milestones && !Object.keys(input).length) return former
  const change = milestones ? { ...input, milestones: await toMilestones(ctx, milestones, former.milestones) } : input
  await changeTemplate(ctx, id, () => change, expectedVersion)
  return getTemplate(ctx, id)
}

type Change = { name?: string | undefined; description?: string | null | undefined; milestones?: TemplateMilestone[] }

async function changeTemplate(
  ctx: WriteCtx,
  id: number,
  change: (milestones: TemplateMilestone[]) => Change,
  expectedVersion?: number,
): Promise<void> {
  authorize(ctx, 'programs:template:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, template, ProgramTemplate, { coachId: ctx.coachId, id, deletedAt: null })
  template.assertVersion(row, expectedVersion)
  ctx.em.assign(row, { ...change(row.milestones), version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, templateUpdated, { templateId: id })
}

const changeMilestones = (
  ctx: WriteCtx,
  id: number,
  change: (milestones: TemplateMilestone[]) => TemplateMilestone[],
  expectedVersion?: number,
): Promise<void> => changeTemplate(ctx, id, (milestones) => ({ milestones: change(milestones) }), expectedVersion)

const milestoneNotFound = () => new AppError('not_found', 'Milestone not found', { subject: 'milestone' })
const itemNotFound = () => new AppError('not_found', 'Item not found', { subject: 'item' })

/** Adds a milestone at the end, or changes one. Throws not_found, validation_failed, conflict. */
export async function saveMilestone(ctx: WriteCtx, { id, version, milestone, ...input }: MilestoneForm): Promise<void> {
  await changeMilestones(
    ctx,
    id,
    (milestones) => {
      if (milestone) return mapOne(milestones, milestone, (one) => ({ ...one, ...input }), milestoneNotFound)
      if (milestones.length >= limits.milestones)
        throw new AppError('validation_failed', `A program has at most ${limits.milestones} milestones.`)
      return [...milestones, { id: createId(), ...input, items: [] }]
    },
    version,
  )
}

/** Deletes a milestone with its items. Throws not_found. */
export const deleteMilestone = (ctx: WriteCtx, id: number, milestone: string): Promise<void> =>
  changeMilestones(ctx, id, (milestones) => withoutOne(milestones, milestone, milestoneNotFound))

/** Moves a milestone to the position `to`, from 0. Throws not_found. */
export const moveMilestone = (
  ctx: WriteCtx,
  id: number,
  { milestone, to }: { milestone: string; to: number },
): Promise<void> => changeMilestones(ctx, id, (milestones) => moveOne(milestones, milestone, to, milestoneNotFound))

/** Adds an item at the end of its milestone, or changes one. Throws not_found, validation_failed, conflict. */
export async function saveItem(ctx: WriteCtx, { id, version, milestone, item, ...input }: ItemForm): Promise<void> {
  const { kind, title, owner, days = null, choiceId = null } = input
  await changeItems(ctx, { id, milestone, version }, (items) => {
    const former = items.find((one) => one.id === item)
    const changed = toItem({ kind: former?.kind ?? kind, title, owner, days, choiceId })
    assertKind(ctx, changed)
    if (item) return mapOne(items, item, (one) => ({ ...one, ...changed }), itemNotFound)
    if (items.length >= limits.items)
      throw new AppError('validation_failed', `A milestone has at most ${limits.items} items.`)
    return [...items, { id: createId(), ...changed }]
  })
}

/** Throws not_found. */
export const deleteItem = (
  ctx: WriteCtx,
  id: number,
  { milestone, item }: { milestone: string; item: string },
): Promise<void> => changeItems(ctx, { id, milestone }, (items) => withoutOne(items, item, itemNotFound))

/** Moves an item to the position `to` of its milestone, from 0. Throws not_found. */
export const moveItem = (
  ctx: WriteCtx,
  id: number,
  { milestone, item, to }: { milestone: string; item: string; to: number },
): Promise<void> => changeItems(ctx, { id, milestone }, (items) => moveOne(items, item, to, itemNotFound))

const changeItems = (
  ctx: WriteCtx,
  { id, milestone, version }: { id: number; milestone: string; version?: number },
  change: (items: TemplateItem[]) => TemplateItem[],
): Promise<void> =>
  changeMilestones(
    ctx,
    id,
    (milestones) => mapOne(milestones, milestone, (one) => ({ ...one, items: change(one.items) }), milestoneNotFound),
    version,
  )

type WithId = { id: string }

function mapOne<T extends WithId>(all: T[], id: string, change: (one: T) => T, notFound: () => AppError): T[] {
  if (!all.some((one) => one.id === id)) throw notFound()
  return all.map((one) => (one.id === id ? change(one) : one))
}

function withoutOne<T extends WithId>(all: T[], id: string, notFound: () => AppError): T[] {
  if (!all.some((one) => one.id === id)) throw notFound()
  return all.filter((one) => one.id !== id)
}

function moveOne<T extends WithId>(all: T[], id: string, to: number, notFound: () => AppError): T[] {
  const moved = all.find((one) => one.id === id)
  if (!moved) throw notFound()
  return all.filter((one) => one !== moved).toSpliced(to, 0, moved)
}

/** Moves a template to the trash. The programs that were made from it stay. Throws not_found, also the second time. */
export async function deleteTemplate(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'programs:template:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(ProgramTemplate, current, { deletedAt: ctx.now() }))) throw template.notFound()
  await publish(ctx, templateDeleted, { templateId: id })
}

/** Takes a template out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreTemplate(ctx: WriteCtx, id: number): Promise<TemplateRecord> {
  authorize(ctx, 'programs:template:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(ProgramTemplate, trashed, { deletedAt: null }))
    await publish(ctx, templateRestored, { templateId: id })
  return getTemplate(ctx, id)
}
