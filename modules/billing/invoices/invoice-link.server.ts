import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx } from '#tenants/context.ts'
import { getInvoice } from '../queries/invoices.ts'
import { readInvoiceToken } from './public-link.ts'
import type { InvoiceRecord } from './records.ts'

/** The invoice of a signed link; null if the link doesn't work here. Counts those, so that nobody can try many. */
export async function openInvoiceLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; invoice: InvoiceRecord } | null> {
  const { platform, address } = context.requestContext
  const link = readInvoiceToken(platform, token)
  if (!link || link.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return null
  }
  const ctx = await context.visitor(['billing:invoice:read'])
  const invoice = await getInvoice(ctx, link.invoiceId).catch((error) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  return invoice && invoice.status !== 'draft' ? { ctx, invoice } : null
}
