import { Form } from '@remix-run/react'
import { Circle } from 'lucide-react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, HistoryLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { agendaFields } from '../../agenda-fields.ts'
import type { Commitment, Preparation } from '../../preparation-loader.server.ts'

type Props = Pick<Preparation, 'id' | 'agenda' | 'commitments' | 'client' | 'description'>

/** The agenda begins with the open commitments; the coach adds points. */
export function AgendaCard({ id, agenda, commitments, client, description }: Props) {
  return (
    <Card title="Agenda">
      {commitments && (
        <div className="border-t border-line-soft pt-4">
          <h3 className="px-5 text-sm font-semibold text-ink-2">Open commitments</h3>
          {commitments.length ? (
            <ul className="rows mt-1" aria-label="Open commitments">
              {commitments.map((commitment) => (
                <Row key={commitment.id} commitment={commitment} clientName={client.name} />
              ))}
            </ul>
          ) : (
            <p className="px-5 pb-4 text-ink-3">Nothing from earlier sessions is open.</p>
          )}
        </div>
      )}
      {description && (
        <p className="border-t border-line-soft px-5 py-4 whitespace-pre-wrap text-ink-2 wrap-anywhere">
          {description}
        </p>
      )}
      <PointsForm key={id} agenda={agenda} />
    </Card>
  )
}

function PointsForm({ agenda }: Pick<Preparation, 'agenda'>) {
  const state = useServerForm(agendaFields, { id: 'agenda', intent: 'save', values: agenda.values })
  const { form, busy } = state
  const { key, inputs, notice, fields } = useEditConflict(state, { noun: 'agenda', current: agenda })
  return (
    <Form
      key={key}
      method="post"
      {...form.props}
      className="grid gap-4 border-t border-line-soft px-5 py-4"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save" />
      {inputs}
      {notice}
      <RichTextField
        field={fields.content}
        label={fields.content.label}
        hint="For you alone: the client doesn’t see them."
        rows={5}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {agenda.id !== null && <HistoryLink kind="session_agenda" id={agenda.id} />}
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save
        </Button>
      </div>
    </Form>
  )
}

function Row({ commitment, clientName }: { commitment: Commitment; clientName: string }) {
  const { title, owner, due, isOverdue, to, session } = commitment
  const facts = [owner === 'client' ? clientName : 'You', due && `${isOverdue ? 'was due' : 'by'} ${due}`, session]
  return (
    <li className="flex items-start gap-2 py-2 pr-4 pl-3">
      <CompleteButton {...commitment} />
      <div className="min-w-0 flex-1 pt-1.5">
        <Link to={to} className="font-medium wrap-anywhere hover:underline">
          {title}
        </Link>
        <p className="text-sm text-ink-3 wrap-anywhere">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {isOverdue && (
        <span className="mt-1.5">
          <Badge tone="danger">Overdue</Badge>
        </span>
      )}
    </li>
  )
}

/** The page of tasks has the action, and leads back. */
function CompleteButton({ id, title, toggle }: Commitment) {
  return (
    <Form method="post" action={toggle} preventScrollReset>
      <input type="hidden" name="intent" value="complete" />
      <input type="hidden" name="id" value={id} />
      <button type="submit" className="btn btn-ghost btn-icon" aria-label={`Complete ${title}`}>
        <Circle className="i" />
      </button>
    </Form>
  )
}
