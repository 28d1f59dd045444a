import type { AppLoadContext } from '@remix-run/node'
import { ignoreNotFound } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { getInvoice } from '../queries/invoices.ts'
import { readInvoiceToken } from './public-link.ts'
import type { InvoiceRecord } from './records.ts'

/** The invoice of a signed link; null if the link doesn't work here. */
export async function openInvoiceLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; invoice: InvoiceRecord } | null> {
  const link = await openLink(context, readInvoiceToken(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await context.visitor(['billing:invoice:read'])
  const invoice = await getInvoice(ctx, link.id).catch(ignoreNotFound)
  return invoice && invoice.status !== 'draft' ? { ctx, invoice } : null
}
