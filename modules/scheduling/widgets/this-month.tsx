import { Calendar } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { ThisMonth } from '../contributions.ts'

export default function ThisMonthStat({ data: { count, ahead, month } }: { data: ThisMonth }) {
  const left = ahead ? `${ahead.toLocaleString('en-US')} still to come` : 'none still to come'
  return (
    <Stat
      to={`/calendar?date=${month}-01&without=cancelled`}
      icon={Calendar}
      label="This Month"
      value={count.toLocaleString('en-US')}
      fact={`${count === 1 ? 'session' : 'sessions'}, ${left}`}
    />
  )
}
