import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

export type Figure = {
  label: string
  icon?: Icon
  value: ReactNode
  /** One helpful fact; left out when it isn't known. */
  fact?: ReactNode
  to?: string
}

/** A figure with its name, its fact and, if there is one, its way to more. */
export function Stat({ label, icon: Icon, value, fact, to }: Figure) {
  const face = (
    <>
      <span className="k">
        {Icon && <Icon className="i" />}
        {label}
      </span>
      <span className="v">{value}</span>
      {fact && <span className="d">{fact}</span>}
    </>
  )
  return to ? (
    <Link className="stat" to={to}>
      {face}
    </Link>
  ) : (
    <div className="stat">{face}</div>
  )
}

/** One strip of figures, split by hairlines. */
export function Stats({ stats, className = '' }: { stats: Figure[]; className?: string }) {
  return (
    <div className={`stats ${className}`} data-count={stats.length}>
      {stats.map((stat) => (
        <Stat key={stat.label} {...stat} />
      ))}
    </div>
  )
}
