import { renderToStaticMarkup } from 'react-dom/server'
import { formatDateTime, formatZone } from '#app/lib/time.ts'
import { leavePath } from '#app/server/http/support-cookie.ts'
import type { Viewer } from '#tenants/auth/viewer.ts'

/** The markup of the bar over all pages while an administrator reads a practice; null otherwise. */
export function renderSupportBar({ support }: Viewer): string | null {
  if (!support) return null
  const { coach, administrator, until } = support
  const name = `${coach.firstName} ${coach.lastName}`.trim() || coach.email
  return renderToStaticMarkup(
    <section
      aria-label="Support access"
      className="no-print flex flex-wrap items-center gap-x-4 gap-y-2 bg-warning-soft px-gutter py-2 text-warning-text"
    >
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        You are reading the practice of <strong>{name}</strong> ({coach.email}) as support, until{' '}
        {formatDateTime(until, administrator)}, {formatZone(administrator.timezone, until)}. You can’t change anything,
        and every page you open is logged.
      </p>
      <form method="post" action={leavePath}>
        <button type="submit" className="btn btn-secondary btn-sm">
          Leave Practice
        </button>
      </form>
    </section>,
  )
}
