import type { WriteCtx } from '#tenants/context.ts'
import { BillingSettings, type BillingSettingsRow } from '../schema.ts'
import { LockMode } from '@mikro-orm/core'

/**
 * How the coach invoices, locked until the transaction ends: concurrent invoices wait here, so that their numbers have no
 * gap. Lock order: client, invoice, settings.
 */
export async function lockSettings(ctx: WriteCtx): Promise<BillingSettingsRow> {
  const now = ctx.now()
  await ctx.query({
    name: 'billing.create-settings',
    text: `insert into billing_settings (coach_id, created_at, updated_at) values ($1, $2, $2)
      on conflict (coach_id) do nothing`,
    values: [ctx.coachId, now],
  })
  return ctx.em.findOneOrFail(
    BillingSettings,
    { coachId: ctx.coachId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
}

/** Takes the next number. The settings are locked. */
export async function takeNumber(ctx: WriteCtx): Promise<string> {
  const settings = await lockSettings(ctx)
  const number = formatNumber(settings)
  settings.nextNumber += 1
  await ctx.em.flush()
  return number
}

/** 'INV-0042'. */
export const formatNumber = ({
  invoicePrefix,
  nextNumber,
}: Pick<BillingSettingsRow, 'invoicePrefix' | 'nextNumber'>): string =>
  `${invoicePrefix}${String(nextNumber).padStart(4, '0')}`
