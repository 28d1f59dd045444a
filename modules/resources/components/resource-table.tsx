import { Download, ExternalLink, File, FileText, Film, Link2, Pencil, Share2, Trash2 } from 'lucide-react'
import { MenuButton, useRowMenu } from '#app/ui/components/row-menu.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { resourceTypes, type ResourceType } from '../fields.ts'
import { resourcesUrl, resourceUrl, type ResourceListState } from '../list-state.ts'

export type ResourceRow = {
  id: number
  name: string
  type: ResourceType
  clientId: number | null
  clientName: string | null
  folderName: string | null
  tags: string[]
  size: string
  url: string | null
  thumbnailUrl: string | null
  isShared: boolean
  date: string
}

/** Inside a form for the actions on several resources. Source: part-2 §2, Resources page. */
export function ResourceTable({ state, rows }: { state: ResourceListState; rows: ResourceRow[] }) {
  const { handlers, menu } = useRowMenu(rows, ({ id }) => [
    { label: 'Details', icon: Pencil, to: resourceUrl(id).href() },
    { label: 'Share', icon: Share2, to: `${resourceUrl(id).href()}#sharing` },
    'separator',
    { label: 'Delete', icon: Trash2, danger: true, to: resourcesUrl.href(state, { dialog: 'delete', resource: id }) },
  ])
  return (
    <div {...handlers}>
      <Table
        label="Resources"
        bordered
        rows={rows}
        getKey={({ id }) => id}
        columns={[
          { head: <span className="sr-only">Choose</span>, cell: (row) => <Choose row={row} /> },
          {
            head: 'Name',
            cell: (row) => (
              <span className="flex items-center gap-3">
                <Thumbnail row={row} />
                <span className="min-w-0">
                  <Link to={resourceUrl(row.id).href()} className="block truncate font-semibold hover:underline">
                    {row.name}
                  </Link>
                  <span className="block truncate text-sm text-ink-3">{describe(row)}</span>
                </span>
              </span>
            ),
            className: 'w-2/5 max-w-0',
          },
          { head: 'Type', cell: ({ type }) => resourceTypes[type] },
          { head: 'Client', cell: (row) => <Client row={row} /> },
          { head: 'Size', alignRight: true, cell: ({ size }) => size },
          { head: 'Uploaded', cell: ({ date }) => <span className="num">{date}</span> },
          { head: 'Actions', cell: (row) => <Actions row={row} /> },
        ]}
        renderListItem={(row) => (
          <div className="flex items-start gap-3 py-3">
            <Choose row={row} />
            <Thumbnail row={row} />
            <div className="min-w-0 flex-1">
              <Link to={resourceUrl(row.id).href()} className="block truncate text-md font-semibold">
                {row.name}
              </Link>
              <span className="mt-1 block text-sm text-ink-3">
                {[
                  resourceTypes[row.type],
                  row.clientId === null ? 'General' : `Client #${row.clientId}`,
                  row.url === null && row.size,
                  row.date,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <Actions row={row} />
          </div>
        )}
      />
      {menu}
    </div>
  )
}

const describe = ({ folderName, tags, isShared }: ResourceRow): string =>
  [folderName, tags.join(', '), isShared && 'Shared'].filter(Boolean).join(' · ')

const icons = { document: FileText, video: Film, link: Link2, other: File }

/** A small picture of a picture, or the sign of the type. */
function Thumbnail({ row: { type, thumbnailUrl } }: { row: ResourceRow }) {
  const Icon = icons[type]
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-ink-3">
      {thumbnailUrl ? (
        <img src={thumbnailUrl} alt="" width={40} height={40} loading="lazy" className="size-10 object-cover" />
      ) : (
        <Icon className="i" />
      )}
    </span>
  )
}

function Choose({ row: { id, name } }: { row: ResourceRow }) {
  return <input type="checkbox" name="ids" value={id} className="check mt-1 shrink-0" aria-label={`Choose ${name}`} />
}

function Client({ row: { clientId, clientName } }: { row: ResourceRow }) {
  if (clientId === null) return <>General</>
  return (
    <Link to={`/clients/${clientId}`} className="hover:underline" title={clientName ?? undefined}>
      Client #{clientId}
    </Link>
  )
}

function Actions({ row: { id, name, url } }: { row: ResourceRow }) {
  const className = 'btn btn-ghost btn-sm btn-icon'
  return (
    <span className="-ml-2 flex">
      {url === null ? (
        <a href={`/api/files/${id}/download`} className={className} aria-label={`Download ${name}`}>
          <Download className="i" />
        </a>
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer" className={className} aria-label={`Open ${name}`}>
          <ExternalLink className="i" />
        </a>
      )}
      <Link to={`${resourceUrl(id).href()}#sharing`} className={className} aria-label={`Share ${name}`}>
        <Share2 className="i" />
      </Link>
      <MenuButton row={{ id, name }} href={resourceUrl(id).href()} />
    </span>
  )
}
