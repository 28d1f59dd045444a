import { Form } from '@remix-run/react'
import { Check, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Fields } from '#app/lib/fields.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { owners } from '../fields.ts'
import type { SessionPage } from '../session-loader.server.ts'

type Props = Pick<SessionPage, 'id' | 'client' | 'hasTasks'> & {
  summary: NonNullable<SessionPage['summary']>
  /** Before the buttons: what else can be done with the summary. */
  links: ReactNode
  renderAction: (action: NonNullable<SessionPage['summary']>['actions'][number], children: ReactNode) => ReactNode
  children: ReactNode
}

/** Approves a draft. The coach chooses which of its actions become tasks, whose and until when. */
export function ApproveForm({ id, client, hasTasks, summary, links, renderAction, children }: Props) {
  const { actions } = summary
  const makesTasks = hasTasks && client !== null
  const values = Object.fromEntries(
    actions.flatMap(({ owner, dueDate }, index) => [
      [`task-${index}`, 'on'],
      [`owner-${index}`, owner ?? 'coach'],
      [`due-${index}`, dueDate ?? ''],
    ]),
  )
  const { form, fields, submitted, busy } = useServerForm(toFields(actions.length), {
    id: 'approve',
    intent: 'approve',
    values,
  })
  return (
    <Form method="post" {...form.props} preventScrollReset>
      <input type="hidden" name="intent" value="approve" />
      <input type="hidden" name="id" value={summary.id} />
      <input type="hidden" name="version" value={summary.version} />
      <div className="grid gap-6 border-t border-line-soft px-5 py-5">
        <FormError id={form.errorId} errors={form.errors} />
        {children}
        {actions.length > 0 && (
          <div>
            <h3 className="mb-2 text-sm font-semibold text-ink-2">Action items</h3>
            {makesTasks && (
              <p className="hint mb-3">Those that you choose become tasks when you approve the summary.</p>
            )}
            <ul className="grid gap-4 pl-5 font-serif list-disc" aria-label="Action items">
              {actions.map((action, index) => {
                const name = `task-${index}`
                return (
                  <li key={index} className="wrap-anywhere">
                    {renderAction(
                      action,
                      makesTasks && (
                        <div className="mt-2 flex flex-wrap items-end gap-3 font-sans">
                          <label className="flex items-center gap-2 py-2 text-sm">
                            <input
                              type="checkbox"
                              className="check shrink-0"
                              name={name}
                              defaultChecked={submitted ? submitted[name] === 'on' : true}
                            />
                            Task<span className="sr-only">: {action.text}</span>
                          </label>
                          <SelectField
                            field={fields[`owner-${index}`]!}
                            fieldClass="min-w-36"
                            choices={[
                              { value: 'coach', label: owners.coach },
                              { value: 'client', label: client.name },
                            ]}
                          />
                          <TextField field={fields[`due-${index}`]!} type="date" fieldClass="min-w-36" />
                        </div>
                      ),
                    )}
                  </li>
                )
              })}
            </ul>
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-soft px-5 py-3">
        {links}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          <ButtonLink icon={Pencil} to={`/session-summaries/${id}/edit`}>
            Edit
          </ButtonLink>
          <Button type="submit" variant="primary" icon={Check} busy={busy}>
            Approve
          </Button>
        </div>
      </div>
    </Form>
  )
}

const toFields = (count: number): Fields =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      [`owner-${index}`, { kind: 'text', label: 'Who' }],
      [`due-${index}`, { kind: 'text', label: 'By' }],
    ]).flat(),
  )
