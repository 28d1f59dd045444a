import { Form, useNavigation } from '@remix-run/react'
import { Archive, Download, Ellipsis, Plus, RefreshCw, Trash2, Upload } from 'lucide-react'
import { Button, PrimaryLink } from '#app/ui/components/button.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { clientsUrl, exportHref, type ListState, type Scope } from '../list-state.ts'

/** The buttons of the client list's header. */
export function ClientsActions({ state, counts }: { state: ListState; counts: Record<Scope, number> }) {
  const navigation = useNavigation()
  const isCurrent = state.show === 'current'
  return (
    <>
      <Form method="post" className="max-sm:hidden">
        <input type="hidden" name="intent" value="refresh" />
        <Button type="submit" icon={RefreshCw} busy={navigation.formData?.get('intent') === 'refresh'}>
          Refresh
        </Button>
      </Form>
      <Menu
        label="More"
        className="btn btn-secondary btn-icon"
        entries={[
          { label: 'Import from CSV', icon: Upload, to: '/clients/import' },
          isCurrent
            ? { label: 'Export to CSV', icon: Download, to: exportHref(state), reload: true }
            : { label: 'Export archive to CSV', icon: Download, to: exportHref(state), reload: true },
          'separator',
          {
            label: `Archived clients (${counts.archive.toLocaleString('en-US')})`,
            icon: Archive,
            to: clientsUrl.href({ show: 'archive' }),
          },
          { label: 'Trash', icon: Trash2, to: '/trash?kind=client' },
        ]}
      >
        <Ellipsis className="i" />
      </Menu>
      {isCurrent && (
        <PrimaryLink to={clientsUrl.href(state, { dialog: 'add' })} icon={Plus} preventScrollReset>
          Add Client
        </PrimaryLink>
      )}
    </>
  )
}
