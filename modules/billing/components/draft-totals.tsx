import { formatCents } from '#app/lib/money.ts'
import type { Preview } from '../invoices/line-form.ts'

/** The sums that the server will store. */
export function DraftTotals({ preview: { totals, incomplete } }: { preview: Preview }) {
  const { subtotal, discount, taxes, total } = totals
  const isIncluded = total === subtotal - discount
  return (
    <div className="border-t border-line-soft p-5">
      <dl className="num grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5" aria-label="Totals">
        <Sum label="Subtotal" value={formatCents(subtotal)} />
        {discount > 0 && <Sum label="Discount" value={`−${formatCents(discount)}`} />}
        {taxes.map(({ rate, tax }) => (
          <Sum key={rate} label={`${isIncluded ? 'Includes tax' : 'Tax'}, ${rate}%`} value={formatCents(tax)} />
        ))}
        <Sum label="Total" value={formatCents(total)} strong />
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
