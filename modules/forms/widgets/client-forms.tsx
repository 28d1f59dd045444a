import { Plus } from 'lucide-react'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ScaleChartFigure } from '../components/scale-chart.tsx'
import { SubmissionRows } from '../components/submission-rows.tsx'
import type { ClientForms } from '../contributions.ts'
import { formsUrl } from '../list-state.ts'

/** The forms of a client, and the scales that they have answered more than once. */
export default function ClientFormsCard({ data: { clientId, submissions, charts } }: { data: ClientForms }) {
  return (
    <Card
      title="Forms"
      aside={
        <Link
          to={formsUrl.href({ dialog: 'send', client: clientId })}
          aria-label="Send Form"
          className="btn btn-ghost btn-sm btn-icon -mr-1.5"
        >
          <Plus className="i" />
        </Link>
      }
    >
      {submissions.length ? (
        <div className="border-t border-line-soft">
          <SubmissionRows label="Forms" submissions={submissions} shows="form" />
        </div>
      ) : (
        <p className="px-5 pb-4 text-ink-3">No forms were sent.</p>
      )}
      {charts.map((chart) => (
        <ScaleChartFigure key={chart.key} chart={chart} />
      ))}
    </Card>
  )
}
