import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { SupportCard } from '../contributions.ts'
import { supportAccessPath } from '../list-state.ts'

/** Leads to the page where the coach lets support in. */
export default function SupportAccess({ data: { until } }: { data: SupportCard }) {
  return (
    <Card title="Support access">
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        {until ? `Support may read your practice until ${until}. ` : 'Let support look at your practice for a time, '}
        {until ? 'Change this' : 'without changing anything,'} on the{' '}
        <Link className="link" to={supportAccessPath}>
          Support Access page
        </Link>
        .
      </p>
    </Card>
  )
}
