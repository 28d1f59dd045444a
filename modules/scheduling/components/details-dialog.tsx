import { Form, useNavigation } from '@remix-run/react'
import { CalendarClock, NotebookPen, Pencil, TextAlignStart, Trash2, UserRound, Video, X } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Button, ButtonLink, HistoryLink, type Icon } from '#app/ui/components/button.tsx'
import { Dialog } from '#app/ui/components/dialog.tsx'
import { Check } from '#app/ui/components/icons.tsx'
import { LifecycleBadge } from '#app/ui/components/lifecycle-badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import type { AppointmentView } from '../dialogs.ts'
import { MessageList } from './messages/message-list.tsx'
import { TypeDot } from './type-dot.tsx'

type DetailsDialogProps = {
  appointment: AppointmentView
  /** The URL of another dialog of this appointment. */
  toDialog: (dialog: string) => string
  closeTo: string
}

/** The details of an appointment, its emails and its actions. */
export function DetailsDialog({ appointment, toDialog, closeTo }: DetailsDialogProps) {
  const { id, title, typeName, typeColor } = appointment
  const submitted = useNavigation().formData
  const busyIntent = submitted?.get('id') === String(id) ? String(submitted.get('intent')) : null
  return (
    <Dialog
      position="beside"
      closeTo={closeTo}
      title={
        <>
          <span className="mb-1 flex flex-wrap items-center gap-2 font-sans text-sm text-ink-3">
            <LifecycleBadge {...appointment} />
            {typeName && (
              <span className="min-w-0 wrap-anywhere">
                <TypeDot color={typeColor} className="mr-1.5" />
                {typeName}
              </span>
            )}
          </span>
          {title}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pb-5 pt-3 sm:px-6">
        <Facts {...appointment} />
        <details>
          <summary className="link hit w-fit cursor-pointer text-sm">Emails</summary>
          <div className="mt-3">
            <MessageList messages={appointment.messages} label="Emails" />
          </div>
        </details>
        <StatusActions appointment={appointment} toDialog={toDialog} busyIntent={busyIntent} />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-soft px-5 py-3 sm:px-6">
        {appointment.repeats ? (
          <ButtonLink
            to={toDialog('delete-appointment')}
            variant="danger-ghost"
            icon={Trash2}
            className="-ml-2.5"
            replace
            preventScrollReset
          >
            Delete
          </ButtonLink>
        ) : (
          <ActionForm fields={{ intent: 'delete', id: String(id) }}>
            <Button
              type="submit"
              variant="danger-ghost"
              icon={Trash2}
              busy={busyIntent === 'delete'}
              className="-ml-2.5"
            >
              Delete
            </Button>
          </ActionForm>
        )}
        <span className="flex-1" />
        <HistoryLink kind="appointment" id={id} />
        {appointment.attendeeTo && (
          <ButtonLink to={appointment.attendeeTo} variant="ghost" className="max-sm:hidden">
            View {appointment.clientId === null ? 'prospect' : 'client'}
          </ButtonLink>
        )}
        <ButtonLink to={toDialog('edit-appointment')} icon={Pencil} replace preventScrollReset data-autofocus>
          Edit
        </ButtonLink>
      </div>
    </Dialog>
  )
}

function Facts({
  id,
  when,
  attendeeTime,
  repeats,
  meetingUrl,
  location,
  answers,
  description,
  sessionNotes,
  ...attendee
}: AppointmentView) {
  return (
    <>
      <Fact icon={CalendarClock}>
        <p className="font-medium">{when}</p>
        {attendeeTime && <p className="text-sm text-ink-3">{attendeeTime}</p>}
        {repeats && <p className="text-sm text-ink-3">{repeats}</p>}
        <a className="link text-sm" href={`/calendar/${id}/session.ics`}>
          Add to calendar
        </a>
      </Fact>
      <Fact icon={UserRound}>
        <AttendeeLink {...attendee} />
      </Fact>
      {meetingUrl && (
        <Fact icon={Video}>
          <a className="link block truncate" href={meetingUrl} target="_blank" rel="noreferrer">
            {meetingUrl.replace(/^https:\/\//i, '')}
          </a>
        </Fact>
      )}
      {location && (
        <Fact icon={TextAlignStart}>
          <p className="wrap-anywhere">{location}</p>
        </Fact>
      )}
      {answers.map(({ question, answer }) => (
        <Fact key={question} icon={TextAlignStart}>
          <p className="text-sm text-ink-3 wrap-anywhere">{question}</p>
          <p className="whitespace-pre-wrap wrap-anywhere">{answer}</p>
        </Fact>
      ))}
      {description && (
        <Fact icon={TextAlignStart}>
          <p className="prose-serif max-h-60 overflow-y-auto whitespace-pre-wrap text-ink-2 wrap-anywhere">
            {description}
          </p>
        </Fact>
      )}
      {sessionNotes && (
        <Fact icon={Pencil}>
          <p className="text-sm text-ink-3">Session notes, kept for when this prospect becomes a client</p>
          <RichText source={sessionNotes} />
        </Fact>
      )}
    </>
  )
}

function AttendeeLink({
  attendeeName,
  attendeeTo,
  clientId,
  clientSince,
  sessionsLeft,
}: Pick<AppointmentView, 'attendeeName' | 'attendeeTo' | 'clientId' | 'clientSince' | 'sessionsLeft'>) {
  const isClient = clientId !== null
  return (
    <p className="wrap-anywhere">
      {attendeeTo ? (
        <Link className="link" to={attendeeTo}>
          {attendeeName}
        </Link>
      ) : (
        attendeeName
      )}{' '}
      <span className="text-ink-3">{isClient ? clientSince && `client since ${clientSince}` : 'prospect'}</span>
      {sessionsLeft && <span className="block text-sm text-ink-3">{sessionsLeft}</span>}
    </p>
  )
}

function Fact({ icon: FactIcon, children }: { icon: Icon; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <FactIcon className="i mt-0.5 text-ink-3" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

function StatusActions({
  appointment: { id, status, meetingUrl, sessionCompleted, hasStarted, hasEnded, actions },
  toDialog,
  busyIntent,
}: Omit<DetailsDialogProps, 'closeTo'> & { busyIntent: string | null }) {
  const offered = actions.map(({ label, to, fields, note }) => (
    <Fragment key={label}>
      {fields ? (
        <ActionForm to={to} fields={fields}>
          <Button type="submit" icon={sessionCompleted ? TextAlignStart : Video} busy={busyIntent === fields.intent}>
            {label}
          </Button>
        </ActionForm>
      ) : (
        <ButtonLink to={to} icon={TextAlignStart}>
          {label}
        </ButtonLink>
      )}
      {note && <span className="self-center text-sm text-ink-3">{note}</span>}
    </Fragment>
  ))
  if (sessionCompleted)
    return (
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={toDialog('add-notes')} icon={NotebookPen} replace preventScrollReset>
          Add Notes
        </ButtonLink>
        {offered}
      </div>
    )
  if (status === 'cancelled') return null
  return (
    <div className="flex flex-wrap gap-2">
      {hasStarted && (
        <ButtonLink to={toDialog('complete')} variant="primary" icon={Check} replace preventScrollReset>
          Mark Complete
        </ButtonLink>
      )}
      {!hasEnded && meetingUrl && (
        <a href={meetingUrl} target="_blank" rel="noreferrer" className="btn btn-secondary">
          <Video className="i" />
          Join
        </a>
      )}
      {offered}
      {!hasEnded && (
        <ActionForm fields={{ intent: 'status', id: String(id), status: 'cancelled', was: status }}>
          <Button type="submit" icon={X} busy={busyIntent === 'status'}>
            Cancel Session
          </Button>
        </ActionForm>
      )}
    </div>
  )
}

type ActionFormProps = { fields: Record<string, string>; to?: string; children: ReactNode }

/** `to`: another page that has the action. */
function ActionForm({ fields, to, children }: ActionFormProps) {
  return (
    <Form method="post" {...(to ? { action: to } : {})} preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
