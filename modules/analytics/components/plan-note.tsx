import { ButtonLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { AnalyticsIllustration } from './illustration.tsx'

/** Shown instead of the numbers below Premium. */
export function PlanNote() {
  return (
    <div className="card">
      <EmptyState
        title="Advanced analytics are part of the Premium plan"
        illustration={<AnalyticsIllustration />}
        action={
          <ButtonLink variant="primary" to="/upgrade">
            See the Plans
          </ButtonLink>
        }
      >
        Revenue, retention, utilization and your pipeline, compared with the period and the year before. Every number
        opens the rows that it is made of.
      </EmptyState>
    </div>
  )
}
