import { localDate } from '#app/lib/time.ts'
import { centsToDecimal } from '#app/lib/money.ts'
import { byteOrderMark, formatCsv, type Cell } from '#modules/core/csv/write.ts'
import { joinClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { subscriptionColumns, type Subscription } from './queries.ts'
import { chargeSelect, type ChargeRecord } from './records.ts'
import { chargeLabels, kindLabels, frequencyLabels, stateLabels } from './states.ts'

// Programs read these files: columns are added at the end only.
const subscriptionHeaders = [
  'Subscription',
  'Created',
  'Client',
  'Product',
  'Kind',
  'Frequency',
  'Installments',
  'Amount',
  'Currency',
  'Status',
  'Payments',
  'Paid',
  'Started',
  'Next charge',
  'Ended',
]
const chargeHeaders = [
  'Charge',
  'Date',
  'Subscription',
  'Client',
  'Product',
  'Number',
  'Installments',
  'Amount',
  'Currency',
  'Status',
  'Invoice',
  'Provider id',
]
const batchSize = 500

/** A CSV file of all subscriptions, oldest first, one piece per batch. Dates are in the coach's time zone. */
export const exportSubscriptions = (ctx: Ctx): AsyncGenerator<string> =>
  exportRows(ctx, subscriptionHeaders, (after) => listSubscriptions(ctx, after), toSubscriptionCells)

/** The same of all charges. */
export const exportCharges = (ctx: Ctx): AsyncGenerator<string> =>
  exportRows(ctx, chargeHeaders, (after) => listCharges(ctx, after), toChargeCells)

async function* exportRows<Row extends { id: number }>(
  ctx: Ctx,
  headers: string[],
  list: (after: number) => Promise<Row[]>,
  toCells: (ctx: Ctx, row: Row) => Cell[],
): AsyncGenerator<string> {
  authorize(ctx, 'stripe:subscription:read')
  yield byteOrderMark + formatCsv([headers])
  for (let after = 0; ; ) {
    const rows = await list(after)
    if (rows.length) yield formatCsv(rows.map((row) => toCells(ctx, row)))
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}

type ExportedSubscription = Subscription & { clientName: string | null }

const listSubscriptions = (ctx: Ctx, after: number): Promise<ExportedSubscription[]> =>
  ctx.query({
    name: 'stripe.export-subscriptions',
    text: `select ${subscriptionColumns}, c.name as "clientName" from stripe_subscription s ${joinClient('s')}
      where s.coach_id = $1 and s.id > $2 and s.buyer_email is null order by s.id limit ${batchSize}`,
    values: [ctx.coachId, after],
  })

function toSubscriptionCells({ account }: Ctx, subscription: ExportedSubscription): Cell[] {
  const { id, clientName, productName, kind, frequency, parts, amount, currency, state } = subscription
  const { createdAt, startedAt, nextChargeAt, endedAt, paidParts, paidAmount } = subscription
  const day = (at: string | null) => (at ? localDate(at, account.timezone) : '')
  return [
    String(id),
    day(createdAt),
    clientName ?? '',
    productName,
    kindLabels[kind],
    frequencyLabels[frequency],
    String(parts ?? ''),
    { decimal: centsToDecimal(amount) },
    currency.toUpperCase(),
    stateLabels[state],
    String(paidParts),
    { decimal: centsToDecimal(paidAmount) },
    day(startedAt),
    day(nextChargeAt),
    day(endedAt),
  ]
}

type ExportedCharge = ChargeRecord & {
  clientName: string | null
  productName: string
  parts: number | null
  invoiceNumber: string | null
}

const listCharges = (ctx: Ctx, after: number): Promise<ExportedCharge[]> =>
  ctx.query({
    name: 'stripe.export-charges',
    text: `select ${chargeSelect}, c.name as "clientName", s.product_name as "productName", s.parts,
        i.number as "invoiceNumber"
      from stripe_charge charge join stripe_subscription s on s.coach_id = $1 and s.id = charge.subscription_row_id
        left join invoice i on i.coach_id = $1 and i.id = charge.invoice_id ${joinClient('s')}
      where charge.coach_id = $1 and charge.id > $2 order by charge.id limit ${batchSize}`,
    values: [ctx.coachId, after],
  })

function toChargeCells({ account }: Ctx, charge: ExportedCharge): Cell[] {
  const { id, createdAt, subscriptionId, clientName, productName, number, parts, amount, currency, status } = charge
  return [
    String(id),
    localDate(createdAt, account.timezone),
    String(subscriptionId),
    clientName ?? '',
    productName,
    String(number),
    String(parts ?? ''),
    { decimal: centsToDecimal(amount) },
    currency.toUpperCase(),
    chargeLabels[status],
    charge.invoiceNumber ?? '',
    charge.stripePaymentIntentId ?? '',
  ]
}
