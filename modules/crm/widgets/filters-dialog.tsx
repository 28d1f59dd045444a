import { Form, useNavigation } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { FiltersDialog } from '../filters-loader.server.ts'
import { clientsUrl, withoutFilters } from '../list-state.ts'

type Data = NonNullable<FiltersDialog>

/** The filters of the client list and its saved views. */
export default function FiltersDialogWidget({ data }: { data: Data }) {
  const { state, views, isSaveable } = data
  return (
    <Dialog title="Filters" closeTo={clientsUrl.href(state)} position="side">
      <DialogBody>
        <FilterFields {...data} />
        {(views.length > 0 || isSaveable) && (
          <section className="mt-6 border-t border-line-soft pt-5" aria-labelledby="views">
            <h3 id="views" className="h2 mb-3">
              Saved views
            </h3>
            {views.length > 0 && (
              <ul className="rows mb-5 border-y border-line-soft">
                {views.map((view) => (
                  <View key={`${view.id} ${view.name}`} view={view} />
                ))}
              </ul>
            )}
            {isSaveable ? (
              <SaveView key={views.length} url={clientsUrl.href(state)} />
            ) : (
              <p className="text-ink-3">Set filters or search first to save another view.</p>
            )}
          </section>
        )}
      </DialogBody>
    </Dialog>
  )
}

function FilterFields({ state, status, tag, contributed }: Data) {
  const { q, view, show, sort } = state
  const kept = new URL(clientsUrl.href({ q, view, show, sort }), 'http://list').searchParams
  const navigation = useNavigation()
  return (
    <Form action="/clients" className="grid gap-4">
      {[...kept].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SelectField
        field={{ id: 'filter-status', name: 'status', label: 'Status' }}
        choices={status}
        defaultValue={state.status ?? ''}
      >
        <option value="">Any status</option>
      </SelectField>
      {tag.length > 0 && (
        <SelectField field={{ id: 'filter-tag', name: 'tag', label: 'Tag' }} choices={tag} defaultValue={state.tag}>
          <option value="">Any tag</option>
        </SelectField>
      )}
      {contributed.map(({ name, label, choices, value }) => (
        <SelectField
          key={name}
          field={{ id: `filter-${name}`, name: 'filters', label }}
          choices={choices}
          defaultValue={value}
        >
          <option value="">Any</option>
        </SelectField>
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Link to={clientsUrl.href(state, withoutFilters)} className="btn btn-ghost" preventScrollReset>
          Clear filters
        </Link>
        <Button type="submit" variant="primary" busy={navigation.state === 'loading'}>
          Show Clients
        </Button>
      </div>
    </Form>
  )
}

const viewFields = { name: { kind: 'line', label: 'Name of the view', required: 'Name is required', max: 60 } } as const

function SaveView({ url }: { url: string }) {
  const { form, fields, busy } = useServerForm(viewFields, { id: 'view', intent: 'save-view' })
  return (
    <Form method="post" {...form.props} className="grid gap-3" preventScrollReset>
      <input type="hidden" name="intent" value="save-view" />
      <input type="hidden" name="url" value={url} />
      <FormError id={form.errorId} errors={form.errors} />
      <TextField
        field={fields.name}
        hint="Saves the search, filters and order that the list has now."
        autoComplete="off"
      />
      <Button type="submit" busy={busy} className="justify-self-start">
        Save View
      </Button>
    </Form>
  )
}

function View({ view: { id, name, url } }: { view: Data['views'][number] }) {
  return (
    <li className="py-2.5">
      <div className="flex items-center gap-2">
        <Link to={url} className="link hit min-w-0 flex-1 truncate">
          {name}
        </Link>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <Button
            type="submit"
            name="intent"
            value="delete-view"
            variant="ghost"
            icon={Trash2}
            className="btn-icon btn-sm"
            aria-label={`Delete the view ${name}`}
          />
        </Form>
      </div>
      <details>
        <summary className="cursor-pointer text-sm text-ink-3">Rename</summary>
        <Form method="post" noValidate className="mt-2 flex min-w-0 gap-2" preventScrollReset>
          <input type="hidden" name="id" value={id} />
          <input
            name="name"
            defaultValue={name}
            className="input min-w-0 flex-1"
            aria-label={`Name of ${name}`}
            maxLength={60}
          />
          <Button type="submit" name="intent" value="rename-view" aria-label={`Rename ${name}`}>
            Rename
          </Button>
        </Form>
      </details>
    </li>
  )
}
