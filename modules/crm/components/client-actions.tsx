import { Archive, ArchiveRestore, Ellipsis, History, Merge, Pencil, Trash2 } from 'lucide-react'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { clientLinkHref, type ClientLink } from '../slots.ts'
import { linkIcon } from './link-icon.ts'

/** The buttons of the client's page, on a phone in one row: only the last link keeps its label. */
export function ClientActions({
  id,
  links,
  isArchived,
  isReadOnly,
  pageHref,
}: {
  id: number
  links: ClientLink[]
  isArchived: boolean
  /** Archived on a plan that is full. */
  isReadOnly: boolean
  pageHref: (change: Record<string, string | null>) => string
}) {
  const archive = isArchived
    ? { label: 'Unarchive', icon: ArchiveRestore, fields: { intent: 'unarchive', id: String(id) } }
    : { label: 'Archive', icon: Archive, fields: { intent: 'archive', id: String(id) } }
  return (
    <>
      {links.map((link, index) => {
        const props = {
          to: clientLinkHref(link, id, (dialog) => pageHref({ dialog })),
          icon: linkIcon(link.icon),
          preventScrollReset: !link.to,
          children: link.label,
        }
        return index < links.length - 1 ? (
          <SecondaryLink key={link.label} {...props} />
        ) : (
          <ButtonLink key={link.label} {...props} className="max-sm:flex-1" />
        )
      })}
      <Menu
        label="More actions"
        className="btn btn-secondary btn-icon"
        entries={[
          { label: 'History', icon: History, to: `/history/client/${id}` },
          ...(isReadOnly ? [] : [{ label: 'Merge…', icon: Merge, to: `/clients/${id}/merge` }]),
          archive,
          'separator',
          {
            label: 'Delete',
            icon: Trash2,
            to: pageHref({ dialog: 'delete' }),
            danger: true,
            preventScrollReset: true,
          },
        ]}
      >
        <Ellipsis className="i" />
      </Menu>
      {!isReadOnly && (
        <PrimaryLink to={`/clients/${id}?edit`} icon={Pencil}>
          Edit
        </PrimaryLink>
      )}
    </>
  )
}
