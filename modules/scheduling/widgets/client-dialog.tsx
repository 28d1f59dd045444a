import { useLocation } from '@remix-run/react'
import { withoutDialog } from '../calendar-state.ts'
import { ScheduleDialog } from '../components/schedule-dialog.tsx'
import type { ClientDialog } from '../contributions.ts'

/** Schedules a session over a client's page or the clients list. */
export default function ClientScheduleDialog({ data: { clientId, dialog } }: { data: NonNullable<ClientDialog> }) {
  const { pathname, search } = useLocation()
  return (
    <ScheduleDialog
      key={clientId}
      {...dialog}
      action={`/calendar?dialog=schedule&client=${clientId}`}
      closeTo={withoutDialog(pathname + search)}
    />
  )
}
