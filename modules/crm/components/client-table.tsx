import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import type { ClientRowView } from '../clients-loader.server.ts'
import { clientsUrl, parseSort, type ListState, type SortKey } from '../list-state.ts'

/** A table on wide screens, a list on others. */
export function ClientTable({ rows, state }: { rows: ClientRowView[]; state: ListState }) {
  return (
    <div className="border-line-soft max-xl:border-y xl:overflow-x-auto xl:rounded-lg xl:border xl:border-line">
      <table className="table client-table">
        <caption className="sr-only">Clients</caption>
        <thead>
          <tr>
            <SortableHeader state={state} by="name">
              Name
            </SortableHeader>
            <SortableHeader state={state} by="joined">
              Date Joined
            </SortableHeader>
            <th scope="col">Latest Product</th>
            <th scope="col">Last Appointment</th>
            <th scope="col">Next Appointment</th>
            <SortableHeader state={state} by="status">
              Status
            </SortableHeader>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ClientRow key={row.id} row={row} canChoose={state.select !== null} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ClientRow({ row, canChoose }: { row: ClientRowView; canChoose: boolean }) {
  const { latestProduct, lastAppointment, nextAppointment } = row.facts
  return (
    <tr>
      <td className={canChoose ? 'can-choose' : undefined}>
        {canChoose && <ChooseBox row={row} />}
        <a href={`/clients/${row.id}`} data-row="" className="client-name">
          <Avatar name={row.name} />
          <span>
            <strong>{row.name}</strong>
            <span>{row.tags ? `${row.email} · ${row.tags}` : row.email}</span>
            <span className="narrow">
              {nextAppointment ? `Next: ${nextAppointment}` : (latestProduct ?? `Joined: ${row.joined}`)}
            </span>
          </span>
        </a>
      </td>
      <DateCell text={row.joined} />
      <td className="product wide">{latestProduct ?? '–'}</td>
      <DateCell text={lastAppointment} />
      <DateCell text={nextAppointment} />
      <td className="status">
        <StatusBadge status={row.status} kind="client" />
      </td>
      <td>
        <MenuButton row={row} href={`/clients/${row.id}`} />
      </td>
    </tr>
  )
}

/** Belongs to the form of the bulk bar. */
export function ChooseBox({ row: { id, name } }: { row: ClientRowView }) {
  return <input type="checkbox" form="bulk" name="ids" value={id} className="check" aria-label={`Choose ${name}`} />
}

/** Bold for a session of today: 'Today, 10:30 AM'. */
function DateCell({ text }: { text: string | undefined }) {
  const isToday = text?.startsWith('Today,')
  return <td className={isToday ? 'num wide is-today' : 'num wide'}>{text ?? '–'}</td>
}

function SortableHeader({ state, by, children }: { state: ListState; by: SortKey; children: ReactNode }) {
  const { key, descending } = parseSort(state.sort)
  const current = key === by
  const Arrow = descending ? ArrowDown : ArrowUp
  // Dates start with the newest, all else in ascending order. Clicking again reverses the order.
  const isNextDescending = current ? !descending : by === 'joined'
  return (
    <th scope="col" aria-sort={current ? (descending ? 'descending' : 'ascending') : undefined}>
      <Link
        to={clientsUrl.href(state, { sort: isNextDescending ? `-${by}` : by, page: 1 })}
        replace
        preventScrollReset
        className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
      >
        {children}
        {current && <Arrow className="i !size-3" />}
      </Link>
    </th>
  )
}
