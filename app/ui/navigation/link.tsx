import { Link as RemixLink, type LinkProps } from '@remix-run/react'
import { forwardRef } from 'react'

export type { LinkProps }

/** Remix' Link; on the server only what it writes. */
export const Link = import.meta.env.SSR ? forwardRef(Address) : RemixLink

/** An address of ours as a link. Remix would work it out three times, for handlers that nobody calls before the browser has them. */
function Address(props: LinkProps, ref: React.ForwardedRef<HTMLAnchorElement>) {
  const { to, children, discover = 'render', reloadDocument } = props
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to)) return <RemixLink {...props} ref={ref} />
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) if (!ofTheLink.has(name)) attributes[name] = value
  return (
    <a {...attributes} href={to} data-discover={discover === 'render' && !reloadDocument ? 'true' : undefined}>
      {children}
    </a>
  )
}

/** What a Link takes for itself. */
const ofTheLink = new Set([
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
