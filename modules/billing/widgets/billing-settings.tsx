import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** A link, on the Settings page. */
export default function BillingSettingsPane() {
  return (
    <Card title="Billing">
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        Set what your invoices say, their numbers, tax and payment terms on the{' '}
        <Link className="link" to="/settings/billing">
          Billing page
        </Link>
        .
      </p>
    </Card>
  )
}
