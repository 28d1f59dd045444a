import { formatMoney } from '#app/lib/money.ts'
import type { Preview } from '../invoices/line-form.ts'

/** The sums that the server will store. */
export function DraftTotals({ preview: { totals, incomplete }, currency }: { preview: Preview; currency: string }) {
  const { subtotal, discount, taxes, total } = totals
  const isIncluded = total === subtotal - discount
  return (
    <div className="border-t border-line-soft p-5">
      <dl className="num grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5" aria-label="Totals">
        <Sum label="Subtotal" value={formatMoney(subtotal, currency)} />
        {discount > 0 && <Sum label="Discount" value={`−${formatMoney(discount, currency)}`} />}
        {taxes.map(({ rate, tax }) => (
          <Sum
            key={rate}
            label={`${isIncluded ? 'Includes tax' : 'Tax'}, ${rate}%`}
            value={formatMoney(tax, currency)}
          />
        ))}
        <Sum label="Total" value={formatMoney(total, currency)} strong />
      </dl>
      {incomplete && <p className="hint mt-3">Lines that aren’t complete are not counted yet.</p>}
    </div>
  )
}

const Sum = ({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) => (
  <>
    <dt className={strong ? 'font-semibold' : 'text-ink-3'}>{label}</dt>
    <dd className={`text-right ${strong ? 'text-md font-semibold' : ''}`}>{value}</dd>
  </>
)
