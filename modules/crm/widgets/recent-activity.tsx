import { Card } from '#app/ui/components/page.tsx'
import { ActivityList } from '../components/activity-list.tsx'
import type { RecentActivity } from '../contributions.ts'

export default function RecentActivityCard({ data }: { data: RecentActivity }) {
  return (
    <Card title="Recent Activity">
      {data.length ? (
        <div className="border-t border-line-soft">
          <ActivityList activities={data} linked />
        </div>
      ) : (
        <p className="px-5 pb-5 text-ink-3">Recent activity will appear here.</p>
      )}
    </Card>
  )
}
