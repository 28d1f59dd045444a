import { formatMoney } from '#app/lib/money.ts'
import { listClientNames, logActivity } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { InvoiceRow } from '../schema.ts'

/** Tells in the recent activity that money came in or went out. */
export async function logMoney(
  ctx: WriteCtx,
  row: InvoiceRow,
  { type, title, amount, direction }: { type: string; title: string; amount: number; direction: 'from' | 'to' },
): Promise<void> {
  const [client] = row.client ? await listClientNames(ctx, [row.client.id]) : []
  if (!client) return
  await logActivity(ctx, {
    type,
    title,
    description: `${formatMoney(amount, row.currency)} ${direction} ${client.name}, ${row.description}`,
    clientId: client.id,
  })
}
