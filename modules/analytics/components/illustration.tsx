import { Illustration } from '#app/ui/components/empty-state.tsx'

/** Bars that grow. */
export function AnalyticsIllustration() {
  return (
    <Illustration>
      <path d="M10 58h92" stroke="var(--line-mid)" />
      <path d="M20 58V44h12v14M42 58V34h12v24M64 58V40h12v18" stroke="var(--line-strong)" />
      <path d="M86 58V18h12v40" fill="var(--brand-soft-2)" stroke="var(--brand-edge)" />
    </Illustration>
  )
}
