import { formatDay } from '#app/lib/time.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { SendOptions } from './components/send-dialog.tsx'
import { formsUrl } from './list-state.ts'
import { getForm, listFormOptions, listFormsPage } from './queries/form.ts'
import { ignoreNotFound } from '#app/lib/errors.ts'

/** Most clients that the form lists. Beyond that, the coach searches. */
const maxClients = 100

export async function loadForms(ctx: Ctx, url: string) {
  const { dialog, form: id, client, ...state } = formsUrl.parse(url)
  const [{ forms, count }, selected, options] = await Promise.all([
    listFormsPage(ctx, state),
    dialog === 'delete' && id ? getForm(ctx, id).catch(ignoreNotFound) : null,
    dialog === 'send' ? loadSendOptions(ctx, client) : null,
  ])
  return {
    state,
    dialog,
    chosen: { formId: id, clientId: client },
    count,
    forms: forms.map(({ updatedAt, ...form }) => ({
      ...form,
      changed: formatDay(updatedAt, ctx.now(), ctx.account.timezone),
    })),
    selected: selected && { id: selected.id, name: selected.name },
    options,
  }
}
export type FormsPage = Awaited<ReturnType<typeof loadForms>>

/** The choices of the dialog that sends a form. */
export async function loadSendOptions(ctx: Ctx, clientId: number | null): Promise<SendOptions> {
  const [forms, listed, [chosen]] = await Promise.all([
    listFormOptions(ctx),
    listClientOptions(ctx, { rows: maxClients + 1 }),
    clientId ? listClientNames(ctx, [clientId]) : [],
  ])
  const clients = listed.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  const isListed = !chosen || chosen.inTrash || clients.some(({ id }) => id === chosen.id)
  return {
    forms,
    clients: isListed ? clients : [{ id: chosen.id, name: chosen.name }, ...clients],
    hasMore: listed.length > maxClients,
    canEmail: ctx.account.emailVerified,
    hasHost: coachOrigin(ctx.platform.config, ctx.account) !== null,
  }
}
