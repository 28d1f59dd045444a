import { useIdentity } from '#app/ui/components/branding.tsx'

/** On a coach's own host, below Premium. */
export function PoweredBy() {
  const identity = useIdentity()
  if (!identity?.ownHost || !identity.platformName || !identity.platformOrigin) return null
  return (
    <span>
      Powered by{' '}
      <a className="underline underline-offset-2 hover:text-ink" href={identity.platformOrigin}>
        {identity.platformName}
      </a>
    </span>
  )
}
