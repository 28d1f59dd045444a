import { useBrand } from '#app/ui/components/branding.tsx'

/** The footer of a coach's own host, on plans without white-label branding. */
export function PoweredBy() {
  const brand = useBrand()
  if (!brand?.ownHost || !brand.platformName || !brand.platformOrigin) return null
  return (
    <span>
      Powered by{' '}
      <a className="underline underline-offset-2 hover:text-ink" href={brand.platformOrigin}>
        {brand.platformName}
      </a>
    </span>
  )
}
