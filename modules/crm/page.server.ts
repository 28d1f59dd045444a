import { data } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'

/** What `work` answers. A refusal becomes the error page with its status and sentence; what is no refusal is a failure of ours. */
export async function orErrorPage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw data({ message: error.message }, { status: error.status })
  }
}

/** The id in an address; 0, which nothing has, for what is no id. */
export function idOf(param: string | undefined): number {
  return param !== undefined && /^[1-9]\d{0,15}$/.test(param) && Number.isSafeInteger(Number(param)) ? Number(param) : 0
}
