import type { ProgramChoice } from '#modules/core/program-parts.ts'
import type { Ctx } from '#tenants/context.ts'
import { itemKinds, itemOwners, limits, type ItemKind, type TemplateItem } from './fields.ts'
import { templateUrl } from './list-state.ts'
import { findPart } from './parts.ts'
import { getTemplateForEdit } from './queries/templates.ts'
import { formatCount } from './format.ts'

/** A template for its editor. Throws not_found. */
export async function loadTemplate(ctx: Ctx, id: number, url: string) {
  const { name, description, milestones, version } = await getTemplateForEdit(ctx, id)
  const state = templateUrl(id).parse(url)
  const selected = milestones.find((one) => one.id === state.milestone) ?? null
  const item = selected?.items.find((one) => one.id === state.item) ?? null
  const kind = item?.kind ?? state.kind
  return {
    id,
    name,
    description,
    version,
    state: { ...state, kind },
    isFull: milestones.length >= limits.milestones,
    kinds: listKinds(ctx),
    milestones: milestones.map(({ items, ...milestone }) => ({
      ...milestone,
      isFull: items.length >= limits.items,
      items: items.map(toItemView),
    })),
    selected,
    item,
    choices: state.dialog === 'item' && kind ? await loadChoices(ctx, kind) : null,
  }
}
export type TemplatePage = Awaited<ReturnType<typeof loadTemplate>>

/** The kinds of items that the coach's modules offer. */
const listKinds = (ctx: Ctx) =>
  (Object.keys(itemKinds) as ItemKind[])
    .filter((kind) => kind === 'check' || findPart(ctx, kind))
    .map((kind) => ({ kind, label: itemKinds[kind] }))

const toItemView = ({ id, kind, title, owner, days }: TemplateItem) => ({
  id,
  kind,
  title,
  details: [
    itemKinds[kind],
    kind === 'check' || kind === 'task' ? itemOwners[owner] : null,
    days === null ? null : days === 0 ? 'due on the first day' : `due after ${formatCount(days, 'day', 'days')}`,
  ]
    .filter(Boolean)
    .join(', '),
})

/** The records that an item of a kind can be about; null where it is its title alone. */
async function loadChoices(
  ctx: Ctx,
  kind: ItemKind,
): Promise<{ options: ProgramChoice[]; isRequired: boolean; label: string } | null> {
  const part = findPart(ctx, kind)
  if (!part?.listChoices) return null
  const label = kind === 'session' ? 'Appointment type' : part.label
  return { options: await part.listChoices(ctx), isRequired: part.needsChoice ?? false, label }
}
