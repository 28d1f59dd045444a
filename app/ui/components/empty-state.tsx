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

/** Two chairs at a table. */
export function ChairsIllustration() {
  return (
    <Illustration>
      <path d="M6 58h100" stroke="var(--line-mid)" />
      <path d="M18 20v22h20M20 42l-3 16M36 42l3 16" stroke="var(--line-strong)" />
      <path d="M94 20v22H74M92 42l3 16M76 42l-3 16" stroke="var(--line-strong)" />
      <ellipse cx="56" cy="44" rx="9" ry="2.5" fill="var(--brand-soft-2)" stroke="var(--brand-edge)" />
      <path d="M56 46.5V58" stroke="var(--brand-edge)" />
    </Illustration>
  )
}

/** A page under a magnifying glass. */
export function NotFoundIllustration() {
  return (
    <Illustration>
      <path d="M6 59h100" stroke="var(--line-mid)" />
      <path d="M38 59V8h22l10 10v41M60 8v10h10" stroke="var(--line-strong)" />
      <path d="M45 20h8M45 28h17M45 36h8M45 44h8" stroke="var(--line-mid)" />
      <circle cx="68" cy="39" r="10" fill="var(--brand-soft-2)" stroke="var(--brand-edge)" />
      <path d="M75.5 46.5 84 55" stroke="var(--brand-edge)" />
    </Illustration>
  )
}

/** The frame of an illustration: a drawing of 112 × 64 in the colors of the page. */
export function Illustration({ children }: { children: ReactNode }) {
  return (
    <svg
      className="mb-3 h-16 w-28"
      viewBox="0 0 112 64"
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
