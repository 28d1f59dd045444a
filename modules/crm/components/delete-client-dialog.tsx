import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'

export function DeleteClientDialog({ client, closeTo }: { client: { id: number; name: string }; closeTo: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${client.name}`}
      confirm="Delete Client"
      busyLabel="Deleting..."
      closeTo={closeTo}
      action="/clients"
      fields={{ intent: 'delete', id: String(client.id) }}
    >
      <p>Are you sure you want to delete this client? This action cannot be undone.</p>
      <p className="mt-2">The client stays in the trash for 30 days.</p>
    </ConfirmDialog>
  )
}
