import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import { listHref, type ListState, type Sort } from '../list-state.ts'
import type { ClientFacts } from '../slots.ts'

const listLayout = [
  'max-xl:block max-xl:[&_thead]:hidden max-xl:[&_tbody]:block',
  'max-xl:[&_tbody_tr]:flex max-xl:[&_tbody_tr]:items-center max-xl:[&_tbody_tr]:gap-3 max-xl:[&_tbody_tr]:py-3',
  'max-xl:[&_tbody_tr+tr]:border-t max-xl:[&_tbody_tr+tr]:border-line-soft',
  'max-xl:[&_td]:h-auto max-xl:[&_td]:border-0 max-xl:[&_td]:p-0 max-xl:[&_td]:whitespace-normal',
].join(' ')

export type ClientRowData = {
  id: number
  name: string
  email: string
  status: string
  joined: string
  facts: ClientFacts
  archived: string | null
}

/** A table on wide screens, a list on others. */
export function ClientTable({ rows, state }: { rows: ClientRowData[]; state: ListState }) {
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

function ClientRow({ row }: { row: ClientRowData }) {
  const { latestProduct, lastAppointment, nextAppointment } = row.facts
  return (
    <tr className="max-xl:[&>:first-child]:!pl-0 max-xl:[&>:last-child]:!pr-0">
      <td className="max-xl:min-w-0 max-xl:flex-1 xl:w-2/5 xl:max-w-0">
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
      <td className="num max-xl:hidden">{row.joined}</td>
      <td className="w-1/5 max-w-0 truncate max-xl:hidden">{latestProduct ?? '–'}</td>
      <td className="num max-xl:hidden">{lastAppointment ?? '–'}</td>
      <td className="num max-xl:hidden">{nextAppointment ?? '–'}</td>
      <td className="max-xl:self-start max-xl:!pt-0.5">
        <StatusBadge status={row.status} kind="client" />
      </td>
      <td>
        <MenuButton row={row} href={`/clients/${row.id}`} />
      </td>
    </tr>
  )
}

function SortableHeader({ state, by, children }: { state: ListState; by: Sort; children: ReactNode }) {
  const current = state.sort === by
  const Arrow = state.descending ? ArrowDown : ArrowUp
  // Dates start with the newest, all else in ascending order. Clicking again reverses the order.
  const descending = current ? !state.descending : by === 'joined'
  return (
    <th scope="col" aria-sort={current ? (state.descending ? 'descending' : 'ascending') : undefined}>
      <Link
        to={listHref(state, { sort: by, descending, page: 1 })}
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
