import type { ReactNode } from 'react'
import { Card } from '#app/ui/components/page.tsx'

export type ActivityEntry = { id: number; title: string; detail: string; device: string; at: string }

/** The owner's security log. `pages`: links to further pages. */
export function Activity({ events, pages }: { events: ActivityEntry[]; pages: ReactNode }) {
  return (
    <Card title="Recent security activity">
      <ul className="rows border-t border-line-soft">
        {events.map(({ id, title, detail, device, at }) => (
          <li key={id} className="px-5 py-3">
            <p className="font-semibold wrap-anywhere">{detail ? `${title}: ${detail}` : title}</p>
            <p className="text-sm text-ink-3 wrap-anywhere">
              {at}, {device}
            </p>
          </li>
        ))}
        {!events.length && <li className="px-5 py-3 text-ink-3">Nothing yet.</li>}
      </ul>
      {pages}
    </Card>
  )
}
