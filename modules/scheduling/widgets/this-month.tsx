import { Calendar } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { ThisMonth } from '../contributions.ts'

export default function ThisMonthStat({ data: { count, upcoming, month } }: { data: ThisMonth }) {
  const left = upcoming ? `${upcoming.toLocaleString('en-US')} upcoming` : 'none left this month'
  return (
    <Stat
      to={`/calendar?date=${month}-01&without=cancelled`}
      icon={Calendar}
      label="This Month"
      value={count.toLocaleString('en-US')}
      detail={`${count === 1 ? 'session' : 'sessions'}, ${left}`}
    />
  )
}
