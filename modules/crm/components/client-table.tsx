import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import type { ClientRowView } from '../clients-loader.server.ts'
import { clientsUrl, parseSort, type ListState, type SortKey } from '../list-state.ts'

const listLayout = [
  'max-xl:block max-xl:[&_thead]:hidden max-xl:[&_tbody]:block',
  'max-xl:[&_tbody_tr]:flex max-xl:[&_tbody_tr]:items-center max-xl:[&_tbody_tr]:gap-3 max-xl:[&_tbody_tr]:py-3',
  'max-xl:[&_tbody_tr+tr]:border-t max-xl:[&_tbody_tr+tr]:border-line-soft',
  'max-xl:[&_td]:h-auto max-xl:[&_td]:border-0 max-xl:[&_td]:p-0 max-xl:[&_td]:whitespace-normal',
].join(' ')

/** A table on wide screens, a list on others. */
export function ClientTable({ rows, state }: { rows: ClientRowView[]; state: ListState }) {
  return (
    <div className="border-line-soft max-xl:border-y xl:overflow-x-auto xl:rounded-lg xl:border xl:border-line">
      <table className={`table ${listLayout}`}>
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
            <ClientRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ClientRow({ row }: { row: ClientRowView }) {
  const { latestProduct, lastAppointment, nextAppointment } = row.facts
  return (
    <tr className="max-xl:[&>:first-child]:!pl-0 max-xl:[&>:last-child]:!pr-0">
      <td className="max-xl:min-w-0 max-xl:flex-1 xl:w-1/3 xl:max-w-0">
        <a href={`/clients/${row.id}`} data-row="" className="flex min-w-0 items-center gap-3 rounded-md">
          <Avatar name={row.name} />
          <span className="min-w-0">
            <strong className="block truncate">{row.name}</strong>
            <span className="block truncate text-sm text-ink-3">{row.email}</span>
            <span className="block truncate text-sm text-ink-3 xl:hidden">
              {nextAppointment ? `Next: ${nextAppointment}` : (latestProduct ?? `Joined ${row.joined}`)}
            </span>
          </span>
        </a>
      </td>
      <DateCell text={row.joined} />
      <td className="w-1/4 max-w-0 truncate max-xl:hidden">{latestProduct ?? '–'}</td>
      <DateCell text={lastAppointment} />
      <DateCell text={nextAppointment} />
      <td className="max-xl:self-start max-xl:!pt-0.5">
        <StatusBadge status={row.status} kind="client" />
      </td>
      <td>
        <MenuButton row={row} href={`/clients/${row.id}`} />
      </td>
    </tr>
  )
}

function DateCell({ text }: { text: string | undefined }) {
  const isToday = text?.startsWith('Today')
  return <td className={`num max-xl:hidden ${isToday ? 'font-semibold text-ink' : ''}`}>{text ?? '–'}</td>
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
