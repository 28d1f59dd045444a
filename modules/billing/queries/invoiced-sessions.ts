import type { ClientSession } from '#modules/crm/index.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { authorize, type Ctx } from '#tenants/context.ts'

/** The completed sessions of a client, latest first; none without a module that keeps sessions. */
export async function listSessions(ctx: Ctx, clientId: number): Promise<ClientSession[]> {
  const filled = await fillSlot(ctx, 'client.completed-session', { id: String(clientId) })
  return filled.flatMap(({ data }) => data as ClientSession[])
}

/** `number`: of the invoice; null for a draft. */
export type InvoicedSession = { appointmentId: number; number: string | null }

/**
 * Which of `ids` are on an invoice, or on a draft that isn't in the trash. Void invoices and those that were credited
 * in full don't count.
 */
export async function listInvoicedSessions(
  ctx: Ctx,
  { ids, exceptInvoiceId }: { ids: number[]; exceptInvoiceId: number },
): Promise<InvoicedSession[]> {
  authorize(ctx, 'billing:invoice:read')
  if (!ids.length) return []
  return ctx.query<InvoicedSession>({
    name: 'billing.invoiced-sessions',
    text: `select distinct l.appointment_id as "appointmentId", i.number
      from invoice_line l join invoice i on i.coach_id = $1 and i.id = l.invoice_id
      where l.coach_id = $1 and l.appointment_id = any($2::bigint[]) and i.id <> $3 and i.state <> 'void'
        and i.deleted_at is null and not (i.total > 0 and i.credited >= i.total)`,
    values: [ctx.coachId, ids, exceptInvoiceId],
  })
}

/** The completed sessions of a client that no other invoice bills, latest first. */
export async function listUninvoicedSessions(
  ctx: Ctx,
  { clientId, invoiceId }: { clientId: number; invoiceId: number },
): Promise<ClientSession[]> {
  const sessions = await listSessions(ctx, clientId)
  const invoiced = await listInvoicedSessions(ctx, { ids: sessions.map(({ id }) => id), exceptInvoiceId: invoiceId })
  const taken = new Set(invoiced.map(({ appointmentId }) => appointmentId))
  return sessions.filter(({ id }) => !taken.has(id))
}
