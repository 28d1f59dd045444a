import { Form } from '@remix-run/react'
import { X } from 'lucide-react'
import { Button, IconButton } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { RequiredForms } from '../contributions.ts'
import { formsUrl, formUrl } from '../list-state.ts'

/** The forms that are sent with each session of an appointment type, on its page. */
export default function RequiredFormsCard({ data: { typeId, required, forms } }: { data: RequiredForms }) {
  return (
    <Card title="Forms" className="mt-6 max-w-3xl">
      <div className="grid gap-4 border-t border-line-soft p-5">
        <p className="text-ink-2">
          Each client or prospect with a new session gets the link by email, unless they have the form and haven’t
          answered it yet.
        </p>
        {required.length > 0 && (
          <ul aria-label="Forms that are sent">
            {required.map(({ id, formId, formName }) => (
              <li key={id} className="flex items-center gap-2">
                <Link className="link min-w-0 flex-1 truncate" to={formUrl(formId).href()}>
                  {formName}
                </Link>
                <Form method="post" action="/forms" preventScrollReset>
                  <input type="hidden" name="intent" value="remove-requirement" />
                  <input type="hidden" name="id" value={id} />
                  <IconButton type="submit" size="sm" icon={X} label={`Remove ${formName}`} />
                </Form>
              </li>
            ))}
          </ul>
        )}
        {forms.length > 0 ? (
          <Form method="post" action="/forms" className="flex flex-wrap gap-2" preventScrollReset>
            <input type="hidden" name="intent" value="require" />
            <input type="hidden" name="appointmentTypeId" value={typeId} />
            <select name="formId" aria-label="Form" className="input select max-w-72">
              {forms.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <Button type="submit">Add</Button>
          </Form>
        ) : (
          required.length === 0 && (
            <p>
              <Link className="link" to={formsUrl.href({ dialog: 'add' })}>
                Add a form
              </Link>{' '}
              first.
            </p>
          )
        )}
      </div>
    </Card>
  )
}
