import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from '../navigation/link.tsx'

export type Crumb = { label: string; to?: string }

/** The layout of a screen: breadcrumbs, title, description and actions (one of them primary). */
export function Page({
  title,
  crumbs,
  eyebrow,
  description,
  actions,
  wide = false,
  children,
}: {
  title: ReactNode
  crumbs?: Crumb[]
  eyebrow?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Calendar and pipeline use the full width. */
  wide?: boolean
  children?: ReactNode
}) {
  return (
    <div className={`mx-auto px-gutter pt-5 lg:pt-8 ${wide ? '' : 'max-w-page'}`}>
      <header className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-4 max-sm:items-start max-sm:gap-x-3">
        <div className="min-w-0 flex-1 basis-48">
          {crumbs ? (
            <div className="mb-1.5">
              <Breadcrumb crumbs={crumbs} />
            </div>
          ) : (
            eyebrow && <p className="eyebrow mb-1.5">{eyebrow}</p>
          )}
          <h1 className="title wrap-anywhere">{title}</h1>
          {description && <p className="mt-1 text-ink-3 wrap-anywhere">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

function Breadcrumb({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {crumbs.map((crumb, index) => (
        <Fragment key={index}>
          {index > 0 && <ChevronRight className="i shrink-0" />}
          {crumb.to && index < crumbs.length - 1 ? (
            // The first and the last crumb are short words: only the one between is cut.
            <Link to={crumb.to} className={index > 0 ? 'min-w-0 truncate' : ''}>
              {crumb.label}
            </Link>
          ) : (
            <span aria-current="page" className={index > 1 ? '' : 'truncate'}>
              {crumb.label}
            </span>
          )}
        </Fragment>
      ))}
    </nav>
  )
}

/** A card with a header: its title and at most one link or detail. */
export function Card({
  title,
  aside,
  children,
  className = '',
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={`card overflow-hidden ${className}`} aria-label={title}>
      <div className="card-head">
        <h2 className="h2">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
