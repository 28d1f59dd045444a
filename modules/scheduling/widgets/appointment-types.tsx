import { Pencil, Plus, Trash2 } from 'lucide-react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { TypeDialog } from '../components/type-dialog.tsx'
import type { TypesPane } from '../contributions.ts'

const closeTo = '/settings'

/** The coach's appointment types, on the Settings page. */
export default function AppointmentTypesPane({ data: { types, suggested, dialog } }: { data: TypesPane }) {
  return (
    <Card
      title="Appointment Types"
      aside={
        <ButtonLink to="/settings?dialog=add-type" size="sm" icon={Plus} preventScrollReset>
          Add Type
        </ButtonLink>
      }
    >
      {types.length ? (
        <ul id="appointment-types" aria-label="Appointment Types" className="rows border-t border-line-soft">
          {types.map(({ id, name, count }) => (
            <li key={id} className="flex items-center gap-2 py-1.5 pl-5 pr-3">
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <span className="num shrink-0 text-sm text-ink-3">
                {count.toLocaleString('en-US')} {count === 1 ? 'session' : 'sessions'}
              </span>
              <Link
                to={`/settings?dialog=edit-type&type=${id}`}
                preventScrollReset
                className="btn btn-ghost btn-sm btn-icon"
                aria-label={`Edit ${name}`}
              >
                <Pencil className="i" />
              </Link>
              <Link
                to={`/settings?dialog=delete-type&type=${id}`}
                preventScrollReset
                className="btn btn-ghost btn-sm btn-icon"
                aria-label={`Delete ${name}`}
              >
                <Trash2 className="i" />
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-5 pb-5 text-ink-3">
          Kinds of sessions you offer, such as a discovery call, coaching session or follow-up.
        </p>
      )}
      <p className="border-t border-line-soft px-5 py-3 text-sm text-ink-3">
        <Link to="/calendar/availability" className="link">
          Availability
        </Link>{' '}
        has your working hours and what can be booked.
      </p>
      {(dialog?.kind === 'add-type' || dialog?.kind === 'edit-type') && (
        <TypeDialog key={dialog.type?.id} type={dialog.type} suggested={suggested} closeTo={closeTo} />
      )}
      {dialog?.kind === 'delete-type' && (
        <ConfirmDialog
          title="Delete Appointment Type"
          confirm="Delete"
          busyLabel="Deleting..."
          closeTo={closeTo}
          action="/calendar"
          fields={{ intent: 'delete-type', id: String(dialog.type.id) }}
        >
          Are you sure you want to delete "{dialog.type.name}"?{' '}
          {dialog.type.count ? 'Existing sessions are kept without a type.' : ''}
        </ConfirmDialog>
      )}
      {dialog?.kind === 'type-not-found' && (
        <NotFoundDialog label="Appointment type" kind="appointment_type" closeTo={closeTo} />
      )}
    </Card>
  )
}
