import { useRouteLoaderData } from '@remix-run/react'
import { useState } from 'react'

/** Whose house the visitor is in: what the root loader sends to every page. */
export type Identity = {
  /** The practice's name, or the platform's. */
  name: string
  color: string
  logoUrl: string | null
  /** The picture in the browser's tab. */
  favicon: string
  /** A coach's own host: nothing of the platform but 'Powered by', and not even that on Premium. */
  ownHost: boolean
  /** Null where the platform may not be named. */
  platformName: string | null
  platformOrigin: string | null
}

type RootData = { identity: Identity }

export function useIdentity(): Identity | undefined {
  return useRouteLoaderData<RootData>('root')?.identity
}

/** A page's `meta`: its own title, then whose house it is. */
export function titled(matches: { id: string; data: unknown }[], title?: string): [{ title: string }] {
  const root = matches.find((match) => match.id === 'root')?.data
  const name = isRootData(root) ? root.identity.name : undefined
  return [{ title: [title, name].filter(Boolean).join(' · ') }]
}

/** The mark and the name, as they head a sidebar or a page. */
export function Signature({
  identity,
  large = false,
}: {
  identity: Pick<Identity, 'name' | 'logoUrl' | 'platformName'>
  large?: boolean
}) {
  return (
    <>
      <Mark identity={identity} large={large} />
      <span className={`min-w-0 truncate font-semibold tracking-tight ${large ? 'text-lg' : 'text-md'}`}>
        {identity.name}
      </span>
    </>
  )
}

/** The coach's logo; without one the first letter of the practice's name; for the platform its own sign. */
export function Mark({
  identity: { name, logoUrl, platformName },
  large = false,
  className = '',
}: {
  identity: Pick<Identity, 'name' | 'logoUrl' | 'platformName'>
  large?: boolean
  className?: string
}) {
  const [broken, setBroken] = useState<string | null>(null)
  if (logoUrl && logoUrl !== broken) {
    return (
      <img
        src={logoUrl}
        alt=""
        className={`logo ${large ? '!h-8 !min-w-8' : ''} ${className}`}
        onError={() => setBroken(logoUrl)}
      />
    )
  }
  return (
    <span className={`tile ${large ? '!size-8' : ''} ${className}`} aria-hidden="true">
      {name === platformName ? (
        <PlatformSign />
      ) : (
        <span className="text-md font-semibold">{[...name][0]?.toUpperCase()}</span>
      )}
    </span>
  )
}

function PlatformSign() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round">
      <path d="M6 18V11a6 6 0 0 1 12 0v7" />
      <path d="M12 18v-6" />
    </svg>
  )
}

function isRootData(data: unknown): data is RootData {
  return typeof data === 'object' && data !== null && 'identity' in data
}
