import { Illustration } from '#app/ui/components/empty-state.tsx'

/** A folder with a page. */
export function FolderIllustration() {
  return (
    <Illustration>
      <path d="M6 59h100" stroke="var(--line-mid)" />
      <path d="M44 26V9h24l6 6v11" stroke="var(--line-strong)" />
      <path d="M30 58V22h14l5 5h33v31z" fill="var(--brand-soft-2)" stroke="var(--line-strong)" />
      <path d="M50 43h12M56 37v12" stroke="var(--brand-edge)" />
    </Illustration>
  )
}
