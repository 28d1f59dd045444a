import { CreditCard } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { Revenue } from '../contributions.ts'

export default function RevenueStat({ data: { amount, fact, month } }: { data: Revenue }) {
  return (
    <Stat
      to={`/purchases?month=${month}&status=completed`}
      icon={CreditCard}
      label="Revenue"
      value={amount}
      fact={fact}
    />
  )
}
