import { formatDate, formatDateTime } from '#app/lib/time.ts'
import { wantsEmail } from '#modules/core/notifications.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { shownTestimonials } from './fields.ts'
import { pageSize, publicPageUrl } from './list-state.ts'
import { listContactMessages } from './queries/contact-messages.ts'
import { hasContactForm } from './queries/settings.ts'
import { getTestimonialForEdit, listInOrder } from './queries/testimonials.ts'
import type { ContactMessageRecord, TestimonialRecord } from './records.ts'

export async function loadPublicPage(ctx: Ctx, url: string) {
  const { dialog, testimonial: id, ...state } = publicPageUrl.parse(url)
  const { message, prospect: prospectId, before } = state
  const { prospects } = ctx.extensions
  const [testimonials, selected, isOn, messages, sendsEmail, prospect] = await Promise.all([
    listInOrder(ctx),
    id ? getTestimonialForEdit(ctx, id) : null,
    hasContactForm(ctx),
    listContactMessages(ctx, { id: message, prospectId, before, rows: pageSize + 1 }),
    wantsEmail(ctx, 'public-page.contact'),
    prospectId === null ? null : prospects?.findName(ctx, prospectId),
  ])
  const page = messages.slice(0, pageSize)
  return {
    address: coachOrigin(ctx.platform.config, ctx.account),
    sendsEmail,
    emailVerified: ctx.account.emailVerified,
    state,
    testimonials: toRows(testimonials),
    hasContactForm: isOn,
    addsProspects: prospects !== null,
    messages: page.map((one) => toMessage(ctx, one)),
    prospectName: prospect?.name ?? null,
    isFiltered: message !== null || prospectId !== null || before !== null,
    older: messages.length > pageSize ? publicPageUrl.href(state, { before: page.at(-1)!.id }) : null,
    dialog,
    selected: selected && {
      ...selected,
      permissionDate: formatDate(selected.permissionAt, ctx.account.timezone),
    },
    isMissing: id !== null && !selected,
  }
}

/** `state`: whether visitors see it. */
function toRows(testimonials: TestimonialRecord[]) {
  let shown = 0
  return testimonials.map(({ id, quote, name, role, isShown }) => {
    const state = !isShown
      ? ('hidden' as const)
      : ++shown > shownTestimonials
        ? ('waiting' as const)
        : ('shown' as const)
    return { id, quote, name, role, isShown, state }
  })
}

function toMessage(ctx: Ctx, { id, name, email, message, createdAt, clientId, prospectId }: ContactMessageRecord) {
  const { prospects } = ctx.extensions
  const person =
    clientId !== null
      ? { label: 'Open Client', to: `/clients/${clientId}` }
      : prospectId !== null && prospects
        ? { label: 'Open Prospect', to: prospects.toHref(prospectId) }
        : null
  return { id, name, email, message, at: formatDateTime(createdAt, ctx.account), person }
}
