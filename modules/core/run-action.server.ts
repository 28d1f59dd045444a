import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { redirectWithToast } from '#app/lib/form-submission.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { WriteCtx } from '#tenants/context.ts'

type Acting = Pick<AppLoadContext, 'coach' | 'write' | 'log'>

/**
 * Runs `work` in one transaction. What the database refuses is refused as the API does it (409 for what somebody changed at the same
 * moment); a failure of ours is told in the words of the catalogue. Neither is lost on the log, and what was typed stays.
 */
export async function attempt<T>(context: Acting, sorry: string, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  context.coach()
  try {
    return await context.write(work)
  } catch (error) {
    const refusal = toAppError(error)
    if (refusal === error) throw refusal
    context.log.error({ err: error }, 'a form could not be saved')
    throw refusal.code === 'internal' ? new AppError('internal', sorry) : refusal
  }
}

/** A deed of one press: done or refused, it goes to `to` and a toast says which. */
export async function press(
  context: Acting,
  deed: { to: string; sorry: string; done: ToastMessage; work: (ctx: WriteCtx) => Promise<unknown> },
): Promise<Response> {
  try {
    await attempt(context, deed.sorry, deed.work)
    return redirectWithToast(deed.to, deed.done)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirectWithToast(deed.to, { tone: 'error', title: 'Error', text: error.message })
  }
}

/** What a person is told of whatever was thrown. */
export const toldOf = (error: unknown): string => toAppError(error).message

export { refererPath as backTo } from './form-actions.server.ts'
