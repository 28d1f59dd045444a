import { Form, useNavigation } from '@remix-run/react'
import { Ban, Check, CalendarClock, Pencil, TextAlignStart, Trash2, UserRound, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, StatusBadge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink, HistoryLink, type Icon } from '#app/ui/components/button.tsx'
import { Dialog } from '#app/ui/components/dialog.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import type { ShownAppointment } from '../dialogs.ts'

/** One appointment: what it is, and what can be done with it. `to` is the address of its other dialogs. */
export function DetailsDialog({
  appointment,
  to,
  closeTo,
}: {
  appointment: ShownAppointment
  to: (dialog: string) => string
  closeTo: string
}) {
  const {
    id,
    title,
    status,
    sessionCompleted,
    typeName,
    when,
    theirTime,
    who,
    since,
    clientId,
    prospectId,
    meetingUrl,
    description,
    sessionNotes,
    started,
    over,
  } = appointment
  const sent = useNavigation().formData
  const busy = sent?.get('id') === String(id) ? sent.get('intent') : null
  const open = !sessionCompleted && status !== 'cancelled'
  return (
    <Dialog
      closeTo={closeTo}
      title={
        <>
          <span className="mb-1 flex flex-wrap items-center gap-2 font-sans text-sm text-ink-3">
            <LifecycleBadge status={status} sessionCompleted={sessionCompleted} />
            {typeName && <span className="min-w-0 wrap-anywhere">{typeName}</span>}
          </span>
          {title}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pb-5 pt-3 sm:px-6">
        <Line icon={CalendarClock}>
          <p className="font-medium">{when}</p>
          {theirTime && <p className="text-sm text-ink-3">{theirTime}</p>}
        </Line>
        <Line icon={UserRound}>
          <p className="wrap-anywhere">
            <Link
              className="link"
              to={clientId === null ? `/pipeline?dialog=edit&prospect=${prospectId}` : `/clients/${clientId}`}
            >
              {who}
            </Link>{' '}
            <span className="text-ink-3">{clientId === null ? 'prospect' : since && `client since ${since}`}</span>
          </p>
        </Line>
        {meetingUrl && (
          <Line icon={Video}>
            <a className="link block truncate" href={meetingUrl} target="_blank" rel="noreferrer">
              {meetingUrl.replace(/^https:\/\//i, '')}
            </a>
          </Line>
        )}
        {description && (
          <Line icon={TextAlignStart}>
            <p className="words max-h-60 overflow-y-auto whitespace-pre-wrap text-ink-2 wrap-anywhere">{description}</p>
          </Line>
        )}
        {sessionNotes && (
          <Line icon={Pencil}>
            <p className="text-sm text-ink-3">Session notes, for the client that this prospect becomes</p>
            <RichText source={sessionNotes} />
          </Line>
        )}
        {open && (
          <div className="flex flex-wrap gap-2">
            {started && (
              <ButtonLink to={to('complete')} variant="primary" icon={Check} replace preventScrollReset>
                Mark Complete
              </ButtonLink>
            )}
            {!over && (
              <Deed intent="status" id={id} fields={{ status: 'cancelled', was: status }}>
                <Button type="submit" icon={Ban} busy={busy === 'status'}>
                  Cancel Session
                </Button>
              </Deed>
            )}
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line-soft px-5 py-3 sm:px-6">
        <Deed intent="delete" id={id}>
          <Button type="submit" variant="danger-ghost" icon={Trash2} busy={busy === 'delete'} className="-ml-2.5">
            Delete
          </Button>
        </Deed>
        <span className="flex-1" />
        <HistoryLink kind="appointment" id={id} />
        <ButtonLink to={to('edit-appointment')} icon={Pencil} replace preventScrollReset data-autofocus>
          Edit
        </ButtonLink>
      </div>
    </Dialog>
  )
}

/** part-2 §4: Scheduled, then Session Complete. One that was called off says so. */
function LifecycleBadge({ status, sessionCompleted }: Pick<ShownAppointment, 'status' | 'sessionCompleted'>) {
  return sessionCompleted ? <Badge tone="success">Session Complete</Badge> : <StatusBadge status={status} />
}

function Line({ icon: Sign, children }: { icon: Icon; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <Sign className="i mt-0.5 text-ink-3" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

function Deed({
  intent,
  id,
  fields = {},
  children,
}: {
  intent: string
  id: number
  fields?: Record<string, string>
  children: ReactNode
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
