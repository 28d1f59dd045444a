import type { ReactNode } from 'react'

/** The placeholder of an empty list: an illustration, a title, a sentence, a button. */
export function EmptyState({
  title,
  children,
  illustration,
  action,
  className = '',
  level: Heading = 'h2',
}: {
  title: string
  children?: ReactNode
  illustration?: ReactNode
  action?: ReactNode
  className?: string
  level?: 'h1' | 'h2' | 'h3'
}) {
  return (
    <div className={`empty ${className}`}>
      {illustration}
      <Heading className="font-serif text-xl">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

export function ChairsIllustration() {
  return (
    <Illustration>
      <path d="M6 58h100" stroke="var(--line-mid)" strokeLinecap="round" />
      <path
        d="M18 20v22h20M20 42l-3 16M36 42l3 16"
        stroke="var(--line-strong)"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M94 20v22H74M92 42l3 16M76 42l-3 16"
        stroke="var(--line-strong)"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <ellipse cx="56" cy="44" rx="9" ry="2.5" fill="var(--brand-soft-2)" stroke="var(--brand-edge)" />
      <path d="M56 46.5V58" stroke="var(--brand-edge)" />
    </Illustration>
  )
}

export function PathIllustration() {
  return (
    <Illustration>
      <path d="M4 58h104" stroke="var(--line-mid)" strokeLinecap="round" />
      <path d="M46 58c2-12 16-14 12-24" stroke="var(--line-strong)" strokeLinecap="round" strokeDasharray="3 4" />
      <path d="M42 34V16M74 34V16" stroke="var(--line-strong)" strokeLinecap="round" />
      <path d="M42 20h32M42 28h32" stroke="var(--brand-edge)" strokeLinecap="round" />
    </Illustration>
  )
}

/** The frame of an illustration: a drawing of 112 × 64 in the colors of the page. */
export function Illustration({ children }: { children: ReactNode }) {
  return (
    <svg className="mb-3 h-16 w-28" viewBox="0 0 112 64" fill="none" strokeWidth="1.5" aria-hidden="true">
      {children}
    </svg>
  )
}
