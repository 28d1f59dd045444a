import { Form } from '@remix-run/react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { mergeUrl } from '../list-state.ts'

type Props = {
  keptId: number
  duplicates: { id: number; name: string; email: string; same: 'email' | 'phone' | 'name' }[]
  clients: { id: number; name: string }[]
  hasMore: boolean
  find: string
}
const sameLabels = { email: 'Same email address', phone: 'Same phone number', name: 'Same name' }

/** The first step of a merge: the other client, perhaps one who looks like the same person. */
export function ChooseClient({ keptId, duplicates, clients, hasMore, find }: Props) {
  const url = mergeUrl(keptId)
  const field = { id: 'merge-with', name: 'with', label: 'Other client', errors: undefined, initialValue: '' }
  return (
    <>
      {duplicates.length > 0 && (
        <Card title="Perhaps the same person">
          <ul className="rows border-t border-line-soft" aria-label="Perhaps the same person">
            {duplicates.map(({ id, name, email, same }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
                <p className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{name}</span>, {email}
                  <span className="block text-sm text-ink-3">{sameLabels[same]}</span>
                </p>
                <ButtonLink to={url.href({ with: id })} aria-label={`Compare with ${name}, ${email}`}>
                  Compare
                </ButtonLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Choose a client" className="!overflow-visible">
        <div className="grid gap-4 border-t border-line-soft px-5 py-5">
          {(hasMore || find) && <PersonSearchForm url={url.href()} name="find" value={find} label="Find a client" />}
          <Form action={url.href()} className="grid justify-items-start gap-4">
            <div className="w-full max-w-96">
              <PersonCombobox
                field={field}
                placeholder={clients.length ? 'Choose a client' : 'No clients found'}
                groups={toGroups(clients)}
                search={hasMore || find ? searchClients : undefined}
              />
            </div>
            <Button type="submit" variant="primary">
              Compare
            </Button>
          </Form>
        </div>
      </Card>
    </>
  )
}
