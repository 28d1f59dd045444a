import { CreditCard } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ShellData } from './shell-data.ts'

/** On every page while the payment of the plan fails. */
export function FailedPaymentNotice({ plan, until }: NonNullable<ShellData['failedPayment']>) {
  return (
    <section aria-label="Payment failed" className="px-gutter pt-4">
      <div className="note mx-auto max-w-page flex-wrap items-center !bg-warning-soft !text-warning-text">
        <CreditCard className="i !mt-0 !text-warning-text" />
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
          {until
            ? `Your last payment failed. Update your card by ${until} to keep ${plan}.`
            : 'Your payment failed, so you are on Free. Clients over its limit are read-only until you pay. Nothing is deleted.'}
        </p>
        <Link to="/upgrade" className="btn btn-secondary btn-sm">
          Update Card
        </Link>
      </div>
    </section>
  )
}
