import { data, type MetaFunction } from '@remix-run/node'
import { titled } from '#app/ui/components/branding.tsx'

export const meta: MetaFunction = ({ matches }) => titled(matches, '404 Page Not Found')

export function loader() {
  throw data(null, { status: 404 })
}

export function action() {
  throw data(null, { status: 404 })
}

/** Never rendered: the loader always answers 404. */
export default function NotFound() {
  return null
}
