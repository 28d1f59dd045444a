import { AppError } from '#app/lib/errors.ts'
import type { ProgramPart } from '#modules/core/program-parts.ts'
import { authorizeKey, type Ctx } from '#tenants/context.ts'
import type { ItemKind } from './fields.ts'

/** The part of another module that items of a kind are; undefined for a checklist item, and without that module. */
export const findPart = ({ extensions }: Pick<Ctx, 'extensions'>, kind: ItemKind): ProgramPart | undefined =>
  extensions.programParts.find((part) => part.kind === kind)

type Choice = { kind: ItemKind; choiceId: number | null }

/**
 * `path`: of the item in errors, with a dot at its end. Throws validation_failed for a kind whose module is missing, and
 * without the choice that it needs.
 */
export function assertKind(ctx: Pick<Ctx, 'extensions'>, { kind, choiceId }: Choice, path = ''): void {
  if (kind === 'check') return
  const part = findPart(ctx, kind)
  if (!part) throw new AppError('validation_failed', 'This kind of item is not available', { field: `${path}kind` })
  if (part.needsChoice && choiceId === null)
    throw new AppError('validation_failed', `Choose a ${part.label.toLowerCase()}`, { field: `${path}choiceId` })
}

const toKey = ({ kind, choiceId }: Choice): string => `${kind} ${choiceId}`

/**
 * Throws as `assertKind` does, not_found for a form, appointment type or resource that isn't the coach's, and forbidden for
 * an API key without the scope for it. What was there before (`former`) stays: its record may be deleted, its module off.
 */
export async function assertItems(
  ctx: Ctx,
  items: (Choice & { path: string })[],
  former: Choice[] = [],
): Promise<void> {
  const kept = former.map(toKey)
  const checked = new Set<string>()
  for (const { path, ...item } of items) {
    const key = toKey(item)
    if (kept.includes(key)) {
      kept.splice(kept.indexOf(key), 1)
      continue
    }
    assertKind(ctx, item, path)
    if (item.choiceId === null || checked.has(key)) continue
    checked.add(key)
    assertKey(ctx, [item])
    await findPart(ctx, item.kind)?.getChoice?.(ctx, item.choiceId)
  }
}

/** Throws forbidden for an API key without the scope for what was chosen in other parts. */
export function assertKey(ctx: Ctx, items: Choice[]): void {
  for (const { kind, choiceId } of items) {
    const { choicePermission: permission, label } = findPart(ctx, kind) ?? {}
    if (choiceId === null || !permission) continue
    const [part, , verb] = permission.split(':')
    authorizeKey(ctx, permission, `For items of the kind ${label}, this API key needs the scope ${part}:${verb}.`)
  }
}
