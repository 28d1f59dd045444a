import { Form } from '@remix-run/react'
import { X } from 'lucide-react'
import { Button, IconButton } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { RequiredContracts } from '../contributions.ts'
import { templatesUrl, templateUrl } from '../list-state.ts'

/** The contracts that are sent with each session of an appointment type, on its page. */
export default function RequiredContractsCard({ data: { typeId, required, templates } }: { data: RequiredContracts }) {
  return (
    <Card title="Contracts" className="mt-6 max-w-3xl">
      <div className="grid gap-4 border-t border-line-soft p-5">
        <p className="text-ink-2">
          Each client with a new session gets the contract by email, unless they have it already, open or signed. A
          prospect gets it as a client.
        </p>
        {required.length > 0 && (
          <ul aria-label="Contracts that are sent">
            {required.map(({ id, contractTemplateId, templateName }) => (
              <li key={id} className="flex items-center gap-2">
                <Link className="link min-w-0 flex-1 truncate" to={templateUrl(contractTemplateId).href()}>
                  {templateName}
                </Link>
                <Form method="post" action="/contracts" preventScrollReset>
                  <input type="hidden" name="intent" value="remove-requirement" />
                  <input type="hidden" name="id" value={id} />
                  <IconButton type="submit" size="sm" icon={X} label={`Remove ${templateName}`} />
                </Form>
              </li>
            ))}
          </ul>
        )}
        {templates.length > 0 ? (
          <Form method="post" action="/contracts" className="flex flex-wrap gap-2" preventScrollReset>
            <input type="hidden" name="intent" value="require" />
            <input type="hidden" name="appointmentTypeId" value={typeId} />
            <select name="contractTemplateId" aria-label="Template" className="input select max-w-72">
              {templates.map(({ id, name }) => (
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
              <Link className="link" to={templatesUrl.href({ dialog: 'add' })}>
                Add a template
              </Link>{' '}
              first.
            </p>
          )
        )}
      </div>
    </Card>
  )
}
