import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PortalFormRows } from '../components/portal-form-rows.tsx'
import type { PortalForms } from '../portal.ts'

/** The forms that a client is asked to answer, on the home page of the portal. */
export default function PortalFormsCard({ data: { forms, hasMore } }: { data: PortalForms }) {
  return (
    <Card title="Forms to answer">
      <PortalFormRows forms={forms} label="Forms to answer" />
      {hasMore && (
        <Link className="link block border-t border-line-soft px-5 py-3" to="/portal/forms">
          All forms
        </Link>
      )}
    </Card>
  )
}
