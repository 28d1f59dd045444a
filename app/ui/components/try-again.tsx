import { useLocation } from '@remix-run/react'
import { RefreshCw } from 'lucide-react'

/** Loads a page that failed. A plain link: it is asked for anew, not patched together from what failed. */
export function TryAgain() {
  const { pathname, search } = useLocation()
  return (
    <a href={pathname + search} className="btn btn-primary">
      <RefreshCw className="i" />
      Try Again
    </a>
  )
}
