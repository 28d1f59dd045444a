import { AppError } from '#app/lib/errors.ts'
import { formatCalendarDate, localDate, noonIn } from '#app/lib/time.ts'
import { cents } from '#app/lib/zod-types.ts'
import type { ClientSession } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { maxInvoiceLines } from '../invoices/fields.ts'
import type { DraftForm } from '../invoices/forms.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { listUninvoicedSessions } from '../queries/invoiced-sessions.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getProduct } from '../queries/products.ts'
import { getSettings } from '../queries/settings.ts'
import type { LineInput } from './invoice-rows.ts'
import { updateInvoice } from './invoices.ts'

/**
 * Saves a draft from its editor, with lines for the product and the sessions chosen there. Throws not_found,
 * validation_failed, and conflict if it was saved or issued after `version`.
 */
export async function saveDraft(
  ctx: WriteCtx,
  { id, version, productId, sessionIds, draft }: DraftForm,
): Promise<InvoiceRecord> {
  const { clientId } = await getInvoice(ctx, id)
  const added: LineInput[] = []
  if (productId !== null || sessionIds.length) {
    const { taxRate } = await getSettings(ctx)
    if (productId !== null) {
      const { name, price } = await getProduct(ctx, productId)
      added.push({ description: name, quantity: '1', unitPrice: cents().parse(price), taxRate, productId })
    }
    const sessions = clientId === null ? [] : await listUninvoicedSessions(ctx, { clientId, invoiceId: id })
    for (const session of sessions.filter((one) => sessionIds.includes(one.id)).toReversed())
      added.push({
        description: describeSession(ctx, session),
        quantity: '1',
        unitPrice: session.price ?? 0,
        taxRate,
        appointmentId: session.id,
      })
  }
  const lines = [...draft.lines, ...added]
  if (!lines.length) throw new AppError('validation_failed', 'Add at least one line', { field: 'line0' })
  if (lines.length > maxInvoiceLines) throw new AppError('validation_failed', `Use at most ${maxInvoiceLines} lines`)
  const dueDate = draft.dueDate === null ? null : noonIn(draft.dueDate, ctx.account.timezone)
  return updateInvoice(ctx, id, { ...draft, dueDate, lines }, version)
}

/** 'Leadership session, March 3, 2026'. */
export function describeSession({ account }: Pick<Ctx, 'account'>, { title, start }: ClientSession): string {
  const day = localDate(start, account.timezone)
  return `${title}, ${formatCalendarDate(day, { month: 'long', day: 'numeric', year: 'numeric' })}`
}
