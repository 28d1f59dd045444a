import { Calendar } from 'lucide-react'
import { Link } from '#app/ui/link.tsx'
import type { ThisMonth } from '../contributions.ts'

export default function ThisMonthStat({ data: { count, ahead, month } }: { data: ThisMonth }) {
  return (
    <Link to={`/calendar?date=${month}-01&without=cancelled`} className="stat">
      <span className="k">
        <Calendar className="i" />
        This Month
      </span>
      <span className="v">{count.toLocaleString('en-US')}</span>
      <span className="d">
        {count === 1 ? 'session' : 'sessions'}, {ahead ? `${ahead.toLocaleString('en-US')} still to come` : 'none still to come'}
      </span>
    </Link>
  )
}
