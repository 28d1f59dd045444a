import { useBrand } from '#app/ui/components/branding.tsx'

/** The footer of a coach's own host, on plans without white-label branding. `inNewTab`: not in the frame of a page. */
export function PoweredBy({ inNewTab = false }: { inNewTab?: boolean }) {
  const brand = useBrand()
  if (!brand?.ownHost || !brand.platformName || !brand.platformOrigin) return null
  return (
    <span>
      Powered by{' '}
      <a
        className="underline underline-offset-2 hover:text-ink"
        href={brand.platformOrigin}
        {...(inNewTab ? { target: '_blank', rel: 'noreferrer' } : {})}
      >
        {brand.platformName}
      </a>
    </span>
  )
}
