import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

type StatTile = {
  label: string
  icon?: Icon
  value: ReactNode
  /** One helpful detail, omitted if unknown. */
  detail?: ReactNode
  to?: string
}

/** A number with its label, a detail and an optional link. */
export function Stat({ label, icon: Icon, value, detail, to }: StatTile) {
  const content = (
    <>
      <span className="stat-label">
        {Icon && <Icon className="i" />}
        {label}
      </span>
      <span className="stat-value">{value}</span>
      {detail && <span className="stat-detail">{detail}</span>}
    </>
  )
  return to ? (
    <Link className="stat" to={to}>
      {content}
    </Link>
  ) : (
    <div className="stat">{content}</div>
  )
}

/** A row of numbers, separated by lines. */
export function Stats({ stats, className = '' }: { stats: StatTile[]; className?: string }) {
  return (
    <div className={`stats ${className}`} data-count={stats.length}>
      {stats.map((stat) => (
        <Stat key={stat.label} {...stat} />
      ))}
    </div>
  )
}
