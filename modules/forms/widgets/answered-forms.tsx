import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { SubmissionRows } from '../components/submission-rows.tsx'
import type { AnsweredForms } from '../contributions.ts'
import { formsUrl } from '../list-state.ts'

/** The forms that clients have answered in the last days, on the dashboard. */
export default function AnsweredFormsCard({ data: { submissions } }: { data: AnsweredForms }) {
  if (!submissions.length) return null
  return (
    <Card
      title="Answered Forms"
      aside={
        <Link className="link text-sm" to={formsUrl.href()}>
          Open forms
        </Link>
      }
    >
      <div className="border-t border-line-soft">
        <SubmissionRows label="Answered Forms" submissions={submissions} shows="both" />
      </div>
    </Card>
  )
}
