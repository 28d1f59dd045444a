import { countView } from '#tenants/auth/view-limits.ts'
import type { Ctx } from '#tenants/context.ts'

/** A submission and the visitor who has its link. */
export type OpenedLink = { ctx: Ctx; id: number }

/** Two in a second: more than anybody types. */
const saveLimit = { attempts: 600, minutes: 5 }

/** Throws rate_limited. */
export function countSave({ ctx, id }: OpenedLink, address: string): void {
  const rules = [{ key: `form-save:${ctx.coachId}:${id}`, ...saveLimit }]
  countView(ctx.platform, { rules, address })
}

const uploadLimit = { attempts: 30, minutes: 10 }

/** Throws rate_limited. */
export function countUpload({ ctx, id }: OpenedLink, address: string): void {
  const rules = [{ key: `form-file:${ctx.coachId}:${id}`, ...uploadLimit }]
  countView(ctx.platform, { rules, address })
}
