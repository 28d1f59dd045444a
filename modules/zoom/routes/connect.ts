import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { replaceWith } from '#app/lib/form-submission.ts'
import { errorMessage } from '#modules/core/form-actions.server.ts'
import { beginConnect } from '../services/connect.ts'

/** Sends the coach to Zoom, from a domain of their own over the platform's host, where Zoom sends them back. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { viewer } = context.requestContext
  if (viewer.domain) return redirect(`${context.config.origin}/zoom/connect`)
  const ctx = context.coach()
  const address = await beginConnect(ctx).catch((error: unknown) => {
    const toast = { tone: 'error', title: 'Connection Failed', text: errorMessage(error) } as const
    throw replaceWith('/settings/zoom', [context.cookies.toast(toast)])
  })
  return redirect(address)
}
