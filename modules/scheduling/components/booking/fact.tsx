import type { ReactNode } from 'react'

/** One line of a list of facts about a session. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
