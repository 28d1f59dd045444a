import type { ReactNode } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Check } from '#app/ui/components/icons.tsx'
import type { PricingPlan } from './pricing.ts'

/** A plan with its price and features. `children` is its call to action. */
export function PlanCard({
  plan: { title, price, tagline, features },
  badge,
  level: Heading,
  children,
}: {
  plan: PricingPlan
  badge?: string | undefined
  level: 'h2' | 'h3'
  children?: ReactNode
}) {
  return (
    <section aria-label={title} className="flex flex-col bg-surface p-6 sm:p-8">
      <div className="flex items-center gap-2.5">
        <Heading className="text-lg font-semibold">{title}</Heading>
        {badge && (
          <Badge tone="brand" plain>
            {badge}
          </Badge>
        )}
      </div>
      <p className="mt-3 flex items-baseline gap-1.5">
        <span className="num font-serif text-4xl">{price}</span>
        <span className="text-ink-3">per month</span>
      </p>
      <p className="mt-1 text-ink-3">{tagline}</p>
      <ul className="mb-8 mt-6 grid gap-2.5 text-md">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check className="i mt-1 text-brand-text" />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      {children && <div className="mt-auto grid gap-2">{children}</div>}
    </section>
  )
}
