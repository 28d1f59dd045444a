import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

/** 'Showing 1–50 of 200' with links to the previous and next page, if any. */
export function Pagination({
  children,
  previous,
  next,
  preventScrollReset,
}: {
  children: ReactNode
  previous?: string
  next?: string
  /** For a list that isn't at the top of its page. */
  preventScrollReset?: boolean
}) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="num text-sm text-ink-3">{children}</p>
      {(previous || next) && (
        <nav aria-label="Pages" className="flex gap-2">
          <StepLink to={previous} label="Previous" icon={ChevronLeft} preventScrollReset={preventScrollReset} />
          <StepLink to={next} label="Next" icon={ChevronRight} trailing preventScrollReset={preventScrollReset} />
        </nav>
      )}
    </div>
  )
}

/** The pagination of `count` items, with `size` items per page: 'Showing 51–100 of 200'. */
export function PageSummary({
  page,
  size,
  rows,
  count,
  to,
  preventScrollReset,
}: {
  page: number
  size: number
  /** The number of items on this page. */
  rows: number
  count: number
  to: (page: number) => string
  preventScrollReset?: boolean
}) {
  const before = (page - 1) * size
  return (
    <Pagination
      previous={page > 1 ? to(page - 1) : undefined}
      next={before + rows < count ? to(page + 1) : undefined}
      preventScrollReset={preventScrollReset}
    >
      Showing {count > size ? `${formatCount(before + 1)}–${formatCount(before + rows)}` : formatCount(rows)} of{' '}
      {formatCount(count)}
    </Pagination>
  )
}

const formatCount = (number: number): string => number.toLocaleString('en-US')

/** The link to the next page of a list that is sorted newest first. */
export function LoadOlderLink({ to }: { to: string }) {
  return (
    <p className="mt-4">
      <Link to={to} className="link">
        Show older
      </Link>
    </p>
  )
}

function StepLink({
  to,
  label,
  icon: Icon,
  trailing,
  preventScrollReset,
}: {
  to: string | undefined
  label: string
  icon: Icon
  trailing?: boolean
  preventScrollReset?: boolean | undefined
}) {
  const content = (
    <>
      {!trailing && <Icon className="i" />}
      {label}
      {trailing && <Icon className="i" />}
    </>
  )
  return to ? (
    <Link
      to={to}
      className="btn btn-secondary btn-sm"
      rel={trailing ? 'next' : 'prev'}
      preventScrollReset={preventScrollReset}
    >
      {content}
    </Link>
  ) : (
    <span className="btn btn-secondary btn-sm is-disabled" aria-disabled="true">
      {content}
    </span>
  )
}
