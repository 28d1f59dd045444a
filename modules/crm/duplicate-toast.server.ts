import type { ToastMessage } from '#app/lib/flash.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { listDuplicates } from './queries/duplicates.ts'
import type { ClientRecord } from './records.ts'

const sameLabels = { email: 'email address', phone: 'phone number', name: 'name' } as const

/**
 * The toast of a client who was saved, if another one or a prospect may be the same person; undefined otherwise.
 * `before`: the client as it was, so that a save that changes neither name, email nor phone warns of nothing.
 */
export async function warnOfDuplicate(
  ctx: WriteCtx,
  saved: ClientRecord,
  { done, before = null }: { done: string; before?: ClientRecord | null },
): Promise<Partial<ToastMessage> | undefined> {
  const { id, name, email, phone } = saved
  if (before && before.name === name && before.email === email && before.phone === phone) return undefined
  const [duplicate] = await listDuplicates(ctx, saved)
  if (!duplicate) return before?.email === email ? undefined : warnOfProspect(ctx, email, done)
  const who = duplicate.same === 'name' ? duplicate.email : duplicate.name
  return {
    text: `${done} Another client has the same ${sameLabels[duplicate.same]}: ${who}. Compare them, and merge them if they are one person.`,
    link: { label: 'Compare', to: `/clients/${id}/merge?with=${duplicate.id}` },
  }
}

/** Sessions that a prospect has booked stay theirs, and the client doesn't see them. */
async function warnOfProspect(ctx: WriteCtx, email: string, done: string): Promise<Partial<ToastMessage> | undefined> {
  const { prospects } = ctx.extensions
  const prospect = await prospects?.findByEmail(ctx, email)
  if (!prospects || !prospect) return undefined
  return {
    text: [
      `${done} ${prospect.name} in your pipeline has the same email address.`,
      'If they are one person, delete this client and convert the prospect, who brings along sessions and notes.',
    ].join(' '),
    link: { label: 'Open Prospect', to: prospects.toHref(prospect.id) },
  }
}
