import { useLocation } from '@remix-run/react'
import { RefreshCw } from 'lucide-react'

/** Reloads a failed page. A plain link, so that the browser loads the whole document. */
export function TryAgain() {
  const { pathname, search } = useLocation()
  return (
    <a href={pathname + search} className="btn btn-primary">
      <RefreshCw className="i" />
      Try Again
    </a>
  )
}
