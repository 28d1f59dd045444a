import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { WriteCtx } from '#tenants/context.ts'

type ActionContext = Pick<AppLoadContext, 'coach' | 'write' | 'log'>

/**
 * Runs `work` in one transaction, for actions that `formActions` doesn't fit. Database errors become AppErrors as in the API;
 * an unexpected error is logged and thrown with `failureMessage`.
 */
export async function runWrite<T>(
  context: ActionContext,
  failureMessage: string,
  work: (ctx: WriteCtx) => Promise<T>,
): Promise<T> {
  context.coach()
  try {
    return await context.write(work)
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error === thrown) throw error
    context.log.error({ err: thrown }, 'a form could not be saved')
    throw error.code === 'internal' ? new AppError('internal', failureMessage) : error
  }
}
