import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { readForm, replaceWith } from '#app/lib/form-submission.ts'
import { parseId } from '#app/lib/url.ts'
import { errorMessage, refererPath } from '#modules/core/form-actions.server.ts'
import { dismissAnnouncement } from '../services/announcements.ts'

/** Closes an announcement, and shows the same page again. The browser sends the form without scripts. */
export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const id = parseId((await readForm(request)).get('id'))
  const page = refererPath(request, '/dashboard')
  try {
    await context.write((ctx) => dismissAnnouncement(ctx, id))
    return replaceWith(page, [])
  } catch (error) {
    const toast = { tone: 'error', title: 'Error', text: errorMessage(error) } as const
    return replaceWith(page, [context.cookies.toast(toast)])
  }
}

export const loader = ({ context }: LoaderFunctionArgs) => (context.coach(), redirect('/dashboard'))
