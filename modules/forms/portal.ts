import { formatDay } from '#app/lib/time.ts'
import type { PortalLink } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { formLink } from './link.ts'
import { listOwnAnsweredForms, listOwnOpenForms, type ClientForm } from './queries/client-forms.ts'

const homeRows = 5
const pageRows = 200

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Forms', to: '/portal/forms' })

/** The forms that the client in the portal is asked to answer; null without one. */
export async function loadPortalForms(ctx: Ctx) {
  const forms = await listOwnOpenForms(ctx, homeRows + 1)
  if (!forms.length) return null
  return { forms: forms.slice(0, homeRows).map((form) => toView(ctx, form)), hasMore: forms.length > homeRows }
}
export type PortalForms = NonNullable<Awaited<ReturnType<typeof loadPortalForms>>>

/** The page of the client's forms. */
export async function loadPortalFormsPage(ctx: Ctx) {
  const [open, answered] = await Promise.all([listOwnOpenForms(ctx, pageRows), listOwnAnsweredForms(ctx, pageRows)])
  return { open: open.map((form) => toView(ctx, form)), answered: answered.map((form) => toView(ctx, form)) }
}

function toView(ctx: Ctx, { id, name, status, sentAt, submittedAt, expiresAt }: ClientForm) {
  const format = (at: string) => formatDay(at, ctx.now(), ctx.client!.timezone)
  return {
    id,
    name,
    status,
    details: submittedAt
      ? `Answered: ${format(submittedAt)}`
      : [status === 'started' ? 'Begun' : `Sent: ${format(sentAt)}`, expiresAt && `open until ${format(expiresAt)}`]
          .filter(Boolean)
          .join(', '),
    to: formLink.getPath(ctx, id),
  }
}
export type PortalForm = ReturnType<typeof toView>
