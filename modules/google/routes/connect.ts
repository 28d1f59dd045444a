import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { errorMessage } from '#modules/core/form-actions.server.ts'
import { replaceWith } from '#app/lib/form-submission.ts'
import { beginConnect } from '../services/connect.ts'

/** Connects without a popup, for browsers that block it or run no scripts. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const address = await beginConnect(ctx, { inPopup: false }).catch((error: unknown) => {
    const toast = { tone: 'error', title: 'Connection Failed', text: errorMessage(error) } as const
    throw replaceWith('/calendar', [context.cookies.toast(toast)])
  })
  return redirect(address)
}
