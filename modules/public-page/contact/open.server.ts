import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { isTimely, signOpening } from '#modules/core/form-timing.ts'
import type { Ctx } from '#tenants/context.ts'
import { hasContactForm } from '../queries/settings.ts'

const purpose = 'contact-form'

/** The context of somebody who writes to the coach. Throws not_found on the platform's host, and without the form. */
export async function openContactForm(context: AppLoadContext): Promise<Ctx> {
  const { prospects } = context.requestContext.platform.extensions
  const ctx = await context.visitor([
    'public-page:contact-form:write',
    'crm:client:read',
    ...(prospects?.permissions ?? []),
  ])
  if (!(await hasContactForm(ctx))) throw new AppError('not_found', 'This page has no contact form.')
  return ctx
}

/** Says when the form was opened. */
export const signContactForm = (ctx: Ctx): string =>
  signOpening(ctx.platform, { purpose, coachId: ctx.coachId, now: ctx.now() })

/** Whether the form was opened long enough ago for a person, and within a day. */
export const isContactFormTimely = (ctx: Ctx, signed: string): boolean =>
  isTimely(ctx.platform, { purpose, coachId: ctx.coachId, now: ctx.now(), signed })
