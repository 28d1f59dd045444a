import { Archive, ArchiveRestore, Pencil, Trash2, UserRound } from 'lucide-react'
import { useRowMenu } from '#app/ui/components/row-menu.tsx'
import type { ClientRowView } from '../clients-loader.server.ts'
import { clientsUrl, type ListState } from '../list-state.ts'
import { clientLinkHref, type ClientLink } from '../slots.ts'
import { linkIcon } from './link-icon.ts'

/** The menu of a row or card of the client list. */
export function useClientMenu(rows: ClientRowView[], links: ClientLink[], state: ListState) {
  const menuLinks = links.filter(
    ({ placement }) => placement.startsWith('menu') || (placement === 'card-menu' && state.view === 'cards'),
  )
  return useRowMenu(rows, ({ id, isReadOnly }) => [
    { label: 'View Details', icon: UserRound, to: `/clients/${id}` },
    ...(isReadOnly ? [] : [{ label: 'Edit Client', icon: Pencil, to: `/clients/${id}?dialog=edit` }]),
    ...(isReadOnly ? [] : menuLinks).map((link) => ({
      label: link.label,
      icon: linkIcon(link.icon),
      to: clientLinkHref(link, id, (dialog) => clientsUrl.href(state, { dialog, client: id })),
    })),
    'separator' as const,
    state.show === 'current'
      ? { label: 'Archive Client', icon: Archive, fields: { intent: 'archive', id: String(id) } }
      : { label: 'Unarchive Client', icon: ArchiveRestore, fields: { intent: 'unarchive', id: String(id) } },
    {
      label: 'Delete Client',
      icon: Trash2,
      to: clientsUrl.href(state, { dialog: 'delete', client: id }),
      danger: true,
    },
  ])
}
