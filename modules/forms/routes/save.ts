import type { ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { countSave, readAnswersForm, requireFormLink, toFailure } from '../answering/answering.server.ts'
import { saveAnswers } from '../services/answering.ts'

/** The form is on the page of the link. */
export const loader = () => {
  throw new AppError('not_found', "We can't find that page.")
}

/** Keeps answers while somebody types. Returns the version of the answers, or an error as the API does. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  try {
    const link = await requireFormLink(context, params.token ?? '')
    countSave(link, context.requestContext.address)
    const version = await saveAnswers(link.ctx, link.id, await readAnswersForm(request))
    return Response.json({ version })
  } catch (thrown) {
    const { message, code, issues, subject, status, headers } = toFailure(context, thrown)
    return Response.json({ message, code, issues, subject }, { status, ...(headers ? { headers } : {}) })
  }
}
