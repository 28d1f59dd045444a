import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from './link.tsx'

export type Stat = {
  label: string
  icon?: Icon
  value: ReactNode
  /** One helpful fact; left out when it isn't known. */
  fact?: ReactNode
  to?: string
}

/** One strip of figures, split by hairlines. */
export function Stats({ stats, className = '' }: { stats: Stat[]; className?: string }) {
  return (
    <div className={`stats ${className}`} data-count={stats.length}>
      {stats.map((stat) => {
        const face = (
          <>
            <span className="k">
              {stat.icon && <stat.icon className="i" />}
              {stat.label}
            </span>
            <span className="v">{stat.value}</span>
            {stat.fact && <span className="d">{stat.fact}</span>}
          </>
        )
        return stat.to ? (
          <Link key={stat.label} className="stat" to={stat.to}>
            {face}
          </Link>
        ) : (
          <div key={stat.label} className="stat">
            {face}
          </div>
        )
      })}
    </div>
  )
}
