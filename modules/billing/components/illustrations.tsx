import { Illustration } from '#app/ui/components/empty-state.tsx'

/** A parcel. */
export function ProductsIllustration() {
  return (
    <Illustration>
      <path d="M6 59h100" stroke="var(--line-mid)" />
      <path d="M35 24l21-9 21 9v24l-21 10-21-10z" fill="var(--brand-soft-2)" stroke="var(--line-strong)" />
      <path d="M35 24l21 9 21-9M56 33v25" stroke="var(--line-strong)" />
      <path d="M45.5 19.5l21 9v9" stroke="var(--brand-edge)" />
    </Illustration>
  )
}

/** A receipt. */
export function PurchasesIllustration() {
  return (
    <Illustration>
      <path d="M6 59h100" stroke="var(--line-mid)" />
      <path
        d="M40 10h32v46l-5.3-4-5.3 4-5.4-4-5.3 4-5.3-4-5.4 4z"
        fill="var(--brand-soft-2)"
        stroke="var(--line-strong)"
      />
      <path d="M47 20h18M47 27h18M47 34h9" stroke="var(--line-strong)" />
      <path d="M58 42h7" stroke="var(--brand-edge)" />
    </Illustration>
  )
}
