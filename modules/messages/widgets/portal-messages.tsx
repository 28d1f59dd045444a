import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalMessages } from '../contributions.ts'

/** The unread messages of a client, on the home page of the portal. */
export default function PortalMessagesCard({ data: { unread, excerpt } }: { data: PortalMessages }) {
  return (
    <Card title={unread === 1 ? 'A new message' : `${unread} new messages`}>
      <div className="flex flex-wrap items-center gap-3 px-5 pb-5">
        <p className="min-w-0 flex-1 basis-56 text-ink-2 wrap-anywhere">{excerpt}</p>
        <Link className="btn btn-primary" to="/portal/messages">
          Read and Answer
        </Link>
      </div>
    </Card>
  )
}
