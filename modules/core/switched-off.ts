import type { RequestContext } from '#tenants/api/operation.ts'
import type { Ctx } from '#tenants/context.ts'

/**
 * Whether a module is switched off for the coach whom a request concerns: the one who is signed in, or the one of the
 * visited host.
 */
export function isSwitchedOff({ platform, viewer }: RequestContext, module: string): boolean {
  const coach = viewer.account ?? viewer.owner
  if (!coach?.modulesOff.length) return false
  return !platform.extensions.without(coach.modulesOff).modules.some(({ id }) => id === module)
}

/** Whether the coach has a module. For requests without a coach, such as a calendar's for its feed. */
export const hasModule = ({ extensions }: Pick<Ctx, 'extensions'>, module: string): boolean =>
  extensions.modules.some(({ id }) => id === module)
