import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

/** 'Showing 1–50 of 200' and the ways on. An address that's absent is an end of the list. */
export function Pagination({ children, previous, next }: { children: ReactNode; previous?: string; next?: string }) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="num text-sm text-ink-3">{children}</p>
      {(previous || next) && (
        <nav aria-label="Pages" className="flex gap-2">
          <Step to={previous} label="Previous" icon={ChevronLeft} />
          <Step to={next} label="Next" icon={ChevronRight} trailing />
        </nav>
      )}
    </div>
  )
}

/** The end of a list of `count` in pages of `size`: 'Showing 51–100 of 200', and the ways to the pages before and after. */
export function Showing({
  page,
  size,
  rows,
  count,
  to,
}: {
  page: number
  size: number /** On this page. */
  rows: number
  count: number
  to: (page: number) => string
}) {
  const before = (page - 1) * size
  return (
    <Pagination previous={page > 1 ? to(page - 1) : undefined} next={before + rows < count ? to(page + 1) : undefined}>
      Showing {count > size ? `${inWords(before + 1)}–${inWords(before + rows)}` : inWords(rows)} of {inWords(count)}
    </Pagination>
  )
}

const inWords = (number: number): string => number.toLocaleString('en-US')

/** The way on in a list that begins with what is newest. */
export function Older({ to }: { to: string }) {
  return (
    <p className="mt-4">
      <Link to={to} className="link">
        Show older
      </Link>
    </p>
  )
}

function Step({
  to,
  label,
  icon: Icon,
  trailing,
}: {
  to: string | undefined
  label: string
  icon: Icon
  trailing?: boolean
}) {
  const face = (
    <>
      {!trailing && <Icon className="i" />}
      {label}
      {trailing && <Icon className="i" />}
    </>
  )
  return to ? (
    <Link to={to} className="btn btn-secondary btn-sm" rel={trailing ? 'next' : 'prev'}>
      {face}
    </Link>
  ) : (
    <span className="btn btn-secondary btn-sm is-disabled" aria-disabled="true">
      {face}
    </span>
  )
}
