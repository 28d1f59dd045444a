import { Plus } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { ListedAppointment } from '../records.ts'
import { formatDay } from '../format.ts'
import { AppointmentList } from './appointment-list.tsx'
import { BusyList, type BusySegment } from './busy-times.tsx'

/** The appointments of a day as a list, for phones. */
export function DayCard({
  date,
  appointments,
  busy,
  zone,
  today,
  toNew,
  toDetails,
}: {
  date: string
  appointments: ListedAppointment[]
  busy: BusySegment[]
  zone: string
  today: string
  toNew: (date: string) => string
  toDetails: (id: number) => string
}) {
  return (
    <Card
      title={formatDay(date, today)}
      aside={<AddLink to={toNew(date)} label={`New session on ${formatDay(date, today)}`} />}
    >
      {appointments.length > 0 && (
        <div className="border-t border-line-soft">
          <AppointmentList
            label={formatDay(date, today)}
            appointments={appointments}
            zone={zone}
            today={today}
            withDay={false}
            to={toDetails}
          />
        </div>
      )}
      <BusyList segments={busy} zone={zone} />
    </Card>
  )
}

function AddLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} preventScrollReset aria-label={label} className="btn btn-ghost btn-icon -mr-2">
      <Plus className="i" />
    </Link>
  )
}
