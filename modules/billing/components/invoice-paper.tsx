import type { toInvoiceView } from '../payments-loader.server.ts'

/** The invoice as the client gets it: ink on white, in light and dark. */
export function InvoicePaper({
  invoice,
  sender,
}: {
  invoice: ReturnType<typeof toInvoiceView>
  sender: { name: string; logoUrl: string | null }
}) {
  const { kind, number, clientName, issueDate, dueDate, lines, notes } = invoice
  return (
    <article
      tabIndex={-1}
      data-autofocus
      data-theme="light"
      className="rounded-md bg-surface p-5 text-ink shadow-[inset_0_0_0_1px_var(--line)] sm:p-8"
      aria-label={kind === 'credit_note' ? 'Credit note' : 'Invoice'}
    >
      <header className="flex items-start justify-between gap-4">
        <span className="flex min-w-0 items-center gap-3">
          {sender.logoUrl && <img src={sender.logoUrl} alt="" className="size-9 shrink-0 rounded-md object-contain" />}
          <strong className="min-w-0 wrap-anywhere">{sender.name}</strong>
        </span>
        <span className="text-right">
          <span className="block font-serif text-xl">{kind === 'credit_note' ? 'Credit note' : 'Invoice'}</span>
          <span className="num block text-sm text-ink-3">{number ?? 'Draft'}</span>
        </span>
      </header>
      <dl className="mt-8 grid grid-cols-2 gap-4 text-sm sm:grid-cols-3">
        <Fact label="Billed to" value={clientName ?? 'Deleted client'} />
        {issueDate && <Fact label="Issued" value={issueDate} />}
        {dueDate && <Fact label="Due" value={dueDate} />}
      </dl>
      <table className="mt-8 w-full text-sm">
        <thead className="border-b-2 border-ink text-left text-ink-3">
          <tr>
            <th scope="col" className="py-2 font-normal">
              Description
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              Qty
            </th>
            <th scope="col" className="py-2 text-right font-normal max-sm:hidden">
              Price
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index} className="border-b border-line align-top">
              <td className="py-2.5 pr-3 wrap-anywhere">{line.description}</td>
              <td className="num py-2.5 text-right">{line.quantity}</td>
              <td className="num py-2.5 pl-3 text-right max-sm:hidden">{line.unitPrice}</td>
              <td className="num py-2.5 pl-3 text-right">{line.amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Sums invoice={invoice} />
      {notes && <p className="mt-8 font-serif text-md whitespace-pre-line wrap-anywhere">{notes}</p>}
    </article>
  )
}

function Sums({ invoice }: { invoice: ReturnType<typeof toInvoiceView> }) {
  const {
    subtotal,
    discount,
    tax,
    pricesIncludeTax,
    total,
    paid,
    refunded,
    credited,
    balance,
    kind,
    status,
    isSettled,
  } = invoice
  const rows: [string, string | null][] = [
    ['Subtotal', discount || tax ? subtotal : null],
    ['Discount', discount && `−${discount}`],
    [pricesIncludeTax ? 'Includes tax' : 'Tax', tax],
  ]
  const isOpen = kind === 'invoice' && status !== 'draft'
  const payments: [string, string | null][] = [
    ['Paid', paid && `−${paid}`],
    ['Refunded', isSettled ? null : refunded],
    ['Credited', credited && `−${credited}`],
  ]
  return (
    <dl className="num ml-auto mt-4 grid w-full max-w-64 grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 text-sm">
      {rows.map(([label, value]) => value && <Sum key={label} label={label} value={value} />)}
      <Sum label="Total" value={total} strong />
      {isOpen && payments.map(([label, value]) => value && <Sum key={label} label={label} value={value} />)}
      {isOpen && (paid || credited) && <Sum label="Left to pay" value={balance} strong />}
      {/* A refund after full payment is not due again. */}
      {isOpen && isSettled && refunded && <Sum label="Refunded since" value={refunded} />}
    </dl>
  )
}

const Sum = ({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) => (
  <>
    <dt className={strong ? 'font-semibold' : 'text-ink-3'}>{label}</dt>
    <dd className={`text-right ${strong ? 'text-md font-semibold' : ''}`}>{value}</dd>
  </>
)

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-ink-3">{label}</dt>
    <dd className="mt-0.5 font-medium wrap-anywhere">{value}</dd>
  </div>
)
