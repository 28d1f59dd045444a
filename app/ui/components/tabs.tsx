import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

export type Tab = { label: ReactNode; to: string; current: boolean }

/** Tabs that are links, so they work without JavaScript and in a new window. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className="tabs overflow-x-auto overflow-y-hidden">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className="tab"
          aria-current={tab.current ? 'page' : undefined}
          preventScrollReset
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

export type Segment = { label: string; to: string; current: boolean; icon?: Icon }

/** A switch between views of the same data. A segment with an icon shows only the icon. */
export function Segmented({
  label,
  segments,
  className = '',
}: {
  label: string
  segments: Segment[]
  className?: string
}) {
  return (
    <nav aria-label={label} className={`seg ${className}`}>
      {segments.map((segment) => (
        <Link
          key={segment.label}
          to={segment.to}
          replace
          preventScrollReset
          aria-current={segment.current ? 'true' : undefined}
          aria-label={segment.icon ? segment.label : undefined}
        >
          {segment.icon ? <segment.icon className="i" /> : segment.label}
        </Link>
      ))}
    </nav>
  )
}
