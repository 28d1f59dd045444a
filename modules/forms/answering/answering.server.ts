import { data, type AppLoadContext } from '@remix-run/node'
import { AppError, statusByCode } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { toAppError } from '#db/error-mapping.ts'
import { openLink } from '#tenants/signed-link.ts'
import type { SentAnswers } from '../answers.ts'
import { formLink } from '../link.ts'
import type { SavedAnswers } from '../services/answering.ts'
import type { OpenedLink } from './limits.ts'

/** The submission of a signed link; null for one of another host, or a forged one. */
export async function openFormLink(context: AppLoadContext, token: string): Promise<OpenedLink | null> {
  const link = await openLink(context, formLink.read(context.requestContext.platform, token))
  return link && { ctx: await context.visitor(['forms:answer:write']), id: link.id }
}

/** Throws not_found. */
export async function requireFormLink(context: AppLoadContext, token: string): Promise<OpenedLink> {
  const link = await openFormLink(context, token)
  if (!link) throw new AppError('not_found', "This link doesn't work any more.")
  return link
}

/** The error that a page of a form shows. An unexpected one is logged. A response is thrown on. */
export function toFailure(context: AppLoadContext, thrown: unknown): AppError {
  if (!(thrown instanceof Error)) throw thrown
  const error = toAppError(thrown)
  if (error !== thrown) context.log.error({ err: thrown }, 'answers could not be kept')
  return error
}

export type SentForm = SavedAnswers & { intent: string; question: string }

/** Most inputs of a form: of each question the most choices. */
const maxInputs = 5_000

/** Reads what the page sends. Throws a 400 if the body isn't a form. */
export async function readAnswersForm(request: Pick<Request, 'formData'>): Promise<SentForm> {
  const form = await request.formData().catch(() => {
    throw data({ message: 'This form could not be read.' }, { status: statusByCode.bad_request })
  })
  const sent: SentAnswers = Object.create(null) as SentAnswers
  for (const [name, value] of [...form].slice(0, maxInputs))
    if (name.startsWith('q-') && typeof value === 'string') (sent[name.slice(2)] ??= []).push(value)
  const getText = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    intent: getText('intent'),
    question: getText('question'),
    version: parseId(getText('version')),
    formVersionId: parseId(getText('formVersionId')),
    sent,
  }
}
