import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PortalFileRows } from '../components/portal-file-rows.tsx'
import type { PortalFiles } from '../portal.ts'

/** The latest files for a client, on the home page of the portal. */
export default function PortalFilesCard({ data: { files, hasMore } }: { data: PortalFiles }) {
  return (
    <Card title="Shared with you">
      <PortalFileRows files={files} />
      {hasMore && (
        <Link className="link block border-t border-line-soft px-5 py-3" to="/portal/files">
          All files
        </Link>
      )}
    </Card>
  )
}
