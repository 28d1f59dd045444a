import { useRouteLoaderData } from '@remix-run/react'
import { useState } from 'react'

/** The practice or platform that the page belongs to, from the root loader. */
export type Brand = {
  /** The practice's name, or the platform's. */
  name: string
  color: string
  logoUrl: string | null
  /** A data URL. */
  favicon: string
  /** The address of the logo for previews of links, on a coach's own host. */
  previewImage: string | null
  /** A coach's own host names the platform only as 'Powered by', and not at all on Premium. */
  ownHost: boolean
  /** Null on hosts that must not name the platform. */
  platformName: string | null
  platformOrigin: string | null
}

type RootData = { brand: Brand }

export function useBrand(): Brand | undefined {
  return useRouteLoaderData<RootData>('root')?.brand
}

/** The `meta` of a page: its title, then the name of the practice or platform. */
export function pageTitle(matches: { id: string; data: unknown }[], title?: string): [{ title: string }] {
  const root = matches.find((match) => match.id === 'root')?.data
  const name = isRootData(root) ? root.brand.name : undefined
  return [{ title: [title, name].filter(Boolean).join(' · ') }]
}

/** Logo and name, for headers. */
export function BrandLockup({
  brand,
  large = false,
}: {
  brand: Pick<Brand, 'name' | 'logoUrl' | 'platformName'>
  large?: boolean
}) {
  return (
    <>
      <Logo brand={brand} large={large} />
      <span className={`min-w-0 truncate font-semibold tracking-tight ${large ? 'text-lg' : 'text-md'}`}>
        {brand.name}
      </span>
    </>
  )
}

/** The coach's logo or the practice's initial; for the platform, its own logo. */
export function Logo({
  brand: { name, logoUrl, platformName },
  large = false,
  className = '',
}: {
  brand: Pick<Brand, 'name' | 'logoUrl' | 'platformName'>
  large?: boolean
  className?: string
}) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  if (logoUrl && logoUrl !== brokenUrl) {
    return (
      <img
        src={logoUrl}
        alt=""
        className={`logo ${large ? '!h-8 !min-w-8' : ''} ${className}`}
        onError={() => setBrokenUrl(logoUrl)}
      />
    )
  }
  return (
    <span className={`tile ${large ? '!size-8' : ''} ${className}`} aria-hidden="true">
      {name === platformName ? (
        <PlatformLogo />
      ) : (
        <span className="text-md font-semibold">{[...name][0]?.toUpperCase()}</span>
      )}
    </span>
  )
}

function PlatformLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round">
      <path d="M6 18V11a6 6 0 0 1 12 0v7" />
      <path d="M12 18v-6" />
    </svg>
  )
}

function isRootData(data: unknown): data is RootData {
  return typeof data === 'object' && data !== null && 'brand' in data
}
