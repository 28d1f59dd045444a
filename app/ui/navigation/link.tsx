import { Link as RemixLink, type LinkProps } from '@remix-run/react'
import { forwardRef } from 'react'

export type { LinkProps }

/** Remix's Link. On the server, a cheaper component with the same output. */
export const Link = import.meta.env.SSR ? forwardRef(ServerLink) : RemixLink

/**
 * Renders links within the app without Remix's hooks, which resolve the URL three times for handlers that only run in
 * browsers.
 */
function ServerLink(props: LinkProps, ref: React.ForwardedRef<HTMLAnchorElement>) {
  const { to, children, discover = 'render', reloadDocument } = props
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to)) return <RemixLink {...props} ref={ref} />
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) if (!remixLinkProps.has(name)) attributes[name] = value
  return (
    <a {...attributes} href={to} data-discover={discover === 'render' && !reloadDocument ? 'true' : undefined}>
      {children}
    </a>
  )
}

/** The props that aren't HTML attributes. */
const remixLinkProps = new Set([
  'to',
  'children',
  'discover',
  'prefetch',
  'reloadDocument',
  'replace',
  'state',
  'preventScrollReset',
  'relative',
  'viewTransition',
])
