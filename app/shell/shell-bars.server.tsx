import { CreditCard } from 'lucide-react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShellBar } from '#modules/core/manifest.ts'

/** The payment of the plan fails. `until`: when the plan ends; null: it has ended. */
export type FailedPayment = { plan: string; until: string | null }

/** The markup of the notices over a coach's pages, which the browser shows without code; null without any. */
export function renderBars(failedPayment: FailedPayment | null, bars: ShellBar[]): string | null {
  if (!failedPayment && !bars.length) return null
  return renderToStaticMarkup(
    <>
      {failedPayment && <FailedPaymentNotice {...failedPayment} />}
      {bars.map((bar) => (
        <Bar key={JSON.stringify(bar.fields)} {...bar} />
      ))}
    </>,
  )
}

/** On every page while the payment of the plan fails. */
function FailedPaymentNotice({ plan, until }: FailedPayment) {
  return (
    <section aria-label="Payment failed" className="px-gutter pt-4">
      <div className="note mx-auto max-w-page flex-wrap items-center !bg-warning-soft !text-warning-text">
        <CreditCard className="i !mt-0 !text-warning-text" />
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
          {until
            ? `Your last payment failed. Update your card by ${until} to keep ${plan}.`
            : 'Your payment failed, so you are on Free. Clients over its limit are read-only until you pay. Nothing is deleted.'}
        </p>
        <a href="/upgrade" className="btn btn-secondary btn-sm">
          Update Card
        </a>
      </div>
    </section>
  )
}

function Bar({ title, text, action, fields }: ShellBar) {
  return (
    <section aria-label={title} className="no-print px-gutter pt-4">
      <div className="note mx-auto max-w-page flex-wrap items-center">
        <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
          <p className="font-semibold">{title}</p>
          <p className="whitespace-pre-line">{text}</p>
        </div>
        <form method="post" action={action}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="btn btn-secondary btn-sm" aria-label={`Dismiss ${title}`}>
            Dismiss
          </button>
        </form>
      </div>
    </section>
  )
}
