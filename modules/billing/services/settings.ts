import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { SettingsEdit } from '../invoices/forms.ts'
import { BillingSettings, type BillingSettingsRow } from '../schema.ts'

/**
 * How the coach invoices, locked until the transaction ends: concurrent invoices wait here, so that their numbers have
 * no gap. Lock order: client, invoice, settings.
 */
export async function lockSettings(ctx: WriteCtx): Promise<BillingSettingsRow> {
  await createSettings(ctx)
  return ctx.em.findOneOrFail(
    BillingSettings,
    { coachId: ctx.coachId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
}

async function createSettings(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'billing.create-settings',
    text: `insert into billing_settings (coach_id, created_at, updated_at) values ($1, $2, $2)
      on conflict (coach_id) do nothing`,
    values: [ctx.coachId, ctx.now()],
  })
}

/** The settings that apply to a new invoice. */
export type InvoiceDefaults = Pick<
  BillingSettingsRow,
  | 'invoicePrefix'
  | 'nextNumber'
  | 'paymentDays'
  | 'taxName'
  | 'taxRate'
  | 'pricesIncludeTax'
  | 'taxId'
  | 'legalName'
  | 'address'
  | 'invoiceFooter'
>

const defaultsSelect = `invoice_prefix as "invoicePrefix", payment_days as "paymentDays", tax_name as "taxName",
  tax_rate::text as "taxRate", prices_include_tax as "pricesIncludeTax", tax_id as "taxId", legal_name as "legalName",
  address, invoice_footer as "invoiceFooter"`

/** As `lockSettings`. `takesNumber`: `nextNumber` is the caller's, and the next invoice gets the one after it. */
export async function lockDefaults(ctx: WriteCtx, { takesNumber = false } = {}): Promise<InvoiceDefaults> {
  const query = takesNumber
    ? {
        name: 'billing.take-number',
        text: `update billing_settings set next_number = next_number + 1 where coach_id = $1
          returning ${defaultsSelect}, next_number - 1 as "nextNumber"`,
      }
    : {
        name: 'billing.lock-defaults',
        text: `select ${defaultsSelect}, next_number as "nextNumber" from billing_settings where coach_id = $1 for update`,
      }
  const find = () => ctx.query<InvoiceDefaults>({ ...query, values: [ctx.coachId] })
  const [found] = await find()
  if (found) return found
  await createSettings(ctx)
  return (await find())[0]!
}

/** 'INV-0042'. */
export const formatNumber = ({
  invoicePrefix,
  nextNumber,
}: Pick<BillingSettingsRow, 'invoicePrefix' | 'nextNumber'>): string =>
  `${invoicePrefix}${String(nextNumber).padStart(4, '0')}`

/**
 * Changes how the coach invoices; issued invoices stay as they are. `nextNumber`: null leaves it. Throws conflict if it
 * was saved after `expectedVersion`, and validation_failed for a number that an invoice may have.
 */
export async function updateSettings(ctx: WriteCtx, input: SettingsEdit, expectedVersion: number): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const settings = await lockSettings(ctx)
  if (settings.version !== expectedVersion)
    throw new AppError('conflict', 'These settings were changed in another tab.', { subject: settingsNoun })
  const { nextNumber, ...changes } = input
  if (nextNumber !== null && nextNumber < settings.nextNumber && (await hasNumbers(ctx)))
    throw new AppError(
      'validation_failed',
      `The next number can only be raised: numbers never repeat, and ${formatNumber(settings)} comes next.`,
      { field: 'nextNumber' },
    )
  ctx.em.assign(settings, {
    ...changes,
    ...(nextNumber === null ? {} : { nextNumber, startNumber: nextNumber }),
    version: settings.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
}

/** The form's name of the settings, for the notice of a conflict. */
export const settingsNoun = 'page'

async function hasNumbers(ctx: WriteCtx): Promise<boolean> {
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'billing.has-numbers',
    text: 'select exists (select 1 from invoice where coach_id = $1 and number is not null) as found',
    values: [ctx.coachId],
  })
  return row!.found
}
