import { CreditCard } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { RevenueData } from '../contributions.ts'

export default function RevenueStat({ data: { amount, detail, month } }: { data: RevenueData }) {
  return (
    <Stat
      to={`/purchases?month=${month}&status=completed`}
      icon={CreditCard}
      label="Revenue"
      value={amount}
      detail={detail}
    />
  )
}
