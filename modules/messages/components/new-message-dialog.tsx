import { Form, useNavigation } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { messagesUrl } from '../list-state.ts'

/** `hasMore`: the search finds further clients. `isMissing`: the form was sent without a client. */
export type RecipientOptions = {
  clients: { id: number; name: string }[]
  hasMore: boolean
  find: string
  isMissing: boolean
}

/** Chooses the client to write to, and leads to their thread. */
export function NewMessageDialog(props: {
  options: RecipientOptions
  state: ReturnType<typeof messagesUrl.parse>
  closeTo: string
}) {
  const { options, closeTo } = props
  const { q, page } = props.state
  const { clients, hasMore, find, isMissing } = options
  const { state, location } = useNavigation()
  const canSearch = hasMore || find !== ''
  return (
    <Dialog title="New Message" closeTo={closeTo}>
      <DialogBody>
        {canSearch && (
          <PersonSearchForm
            url={messagesUrl.href({ q, page, dialog: 'new' })}
            name="find"
            value={find}
            label="Find a client"
          />
        )}
        <Form action="/messages" className="grid gap-4" noValidate>
          <input type="hidden" name="dialog" value="new" />
          {q && <input type="hidden" name="q" value={q} />}
          {page > 1 && <input type="hidden" name="page" value={page} />}
          <PersonCombobox
            field={{
              id: 'recipient',
              name: 'client',
              label: 'To',
              required: true,
              errors: isMissing ? ['Choose a client'] : undefined,
              initialValue: '',
            }}
            placeholder={clients.length ? 'Choose a client' : 'No clients found'}
            groups={toGroups(clients)}
            search={canSearch ? searchClients : undefined}
            hint="They read and answer in the portal."
          />
          <DialogSubmit busy={state !== 'idle' && location.search.includes('client=')} busyLabel="Opening...">
            Continue
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
