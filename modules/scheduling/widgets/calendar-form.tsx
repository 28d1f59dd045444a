import { useLocation } from '@remix-run/react'
import { DeleteAppointmentDialog } from '../components/delete-dialog.tsx'
import { EditAppointmentDialog } from '../components/edit-dialog.tsx'
import { ScheduleDialog } from '../components/schedule-dialog.tsx'
import { SessionNotesDialog } from '../components/session-notes-dialog.tsx'
import { TypeDialog } from '../components/type-dialog.tsx'
import type { CalendarForm } from '../calendar-loader.server.ts'

/** The calendar's dialogs with a form. A widget, so that the calendar loads them only when one is open. */
export default function CalendarFormDialog({
  data: { dialog, closeTo },
}: {
  data: CalendarForm & { closeTo: string }
}) {
  const { search } = useLocation()
  switch (dialog.kind) {
    case 'schedule':
      return <ScheduleDialog key={search} {...dialog} action={`/calendar${search}`} closeTo={closeTo} />
    case 'edit-appointment':
      return <EditAppointmentDialog key={dialog.id} {...dialog} closeTo={closeTo} />
    case 'delete-appointment':
      return <DeleteAppointmentDialog appointment={dialog.appointment} closeTo={closeTo} />
    case 'complete':
    case 'add-notes':
      return <SessionNotesDialog kind={dialog.kind} appointment={dialog.appointment} closeTo={closeTo} />
    case 'add-type':
    case 'edit-type':
      return <TypeDialog key={dialog.type?.id} type={dialog.type} closeTo="/settings" />
    default:
      return null
  }
}
