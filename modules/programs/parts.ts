import type { ProgramPart } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import type { ItemKind } from './fields.ts'

/** The part of another module that items of a kind are; undefined for a checklist item, and without that module. */
export const findPart = ({ extensions }: Pick<Ctx, 'extensions'>, kind: ItemKind): ProgramPart | undefined =>
  extensions.programParts.find((part) => part.kind === kind)
