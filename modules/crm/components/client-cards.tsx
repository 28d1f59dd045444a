import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import type { ClientRowView } from '../clients-loader.server.ts'
import { clientsUrl, type ListState } from '../list-state.ts'
import { ChooseBox } from './client-table.tsx'
import { clientLinkHref, type ClientLink } from '../slots.ts'

export function ClientCards({ rows, links, state }: { rows: ClientRowView[]; links: ClientLink[]; state: ListState }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {rows.map(({ card, ...row }) => (
        <li key={row.id} className="card flex flex-col gap-4 p-5">
          <div className="flex items-start gap-3">
            {state.select && <ChooseBox row={row} />}
            <Avatar name={row.name} size="lg" />
            <div className="min-w-0 flex-1">
              <h2 className="truncate text-md font-semibold">
                <a href={`/clients/${row.id}`} data-row="" data-discover="true" className="rounded-sm hover:underline">
                  {row.name}
                </a>
              </h2>
              <p className="truncate text-sm text-ink-3">{row.email}</p>
              {row.tags && <p className="truncate text-sm text-ink-3">{row.tags}</p>}
            </div>
            <div className="-mr-2 -mt-1.5">
              <MenuButton row={row} href={`/clients/${row.id}`} />
            </div>
          </div>
          <p className="prose-serif line-clamp-2 min-h-[3.2rem] text-ink-2 wrap-anywhere">
            {card?.goals ?? <span className="text-ink-3">No goals yet.</span>}
          </p>
          <div className="flex items-center gap-3">
            <Progress value={card?.progress ?? 0} label={`Progress of ${row.name}`} className="flex-1" />
            <span className="num text-sm text-ink-2">{card?.progress}%</span>
            <StatusBadge status={row.status} kind="client" />
          </div>
          <dl className="flex items-end justify-between gap-3 text-sm">
            <div>
              <dt className="text-ink-3">Total spent</dt>
              <dd className="num font-medium">{card?.spent}</dd>
            </div>
            <div>
              <dt className="text-ink-3">Added</dt>
              <dd className="num">{row.joined}</dd>
            </div>
            <div>
              <dt className="text-ink-3">Next session</dt>
              <dd className="num">{row.facts.nextAppointment ?? '–'}</dd>
            </div>
          </dl>
          <div className="mt-auto flex flex-wrap gap-2">
            {links
              .filter((link) => link.placement === 'card')
              .map((link) => (
                <a
                  key={link.label}
                  data-row=""
                  href={clientLinkHref(link, row.id, (dialog) => clientsUrl.href(state, { dialog, client: row.id }))}
                  className="btn btn-ghost btn-sm -ml-2.5"
                >
                  {link.label}
                </a>
              ))}
            <a
              href={`/clients/${row.id}`}
              data-row=""
              className="btn btn-secondary btn-sm ml-auto"
              aria-label={`View Details of ${row.name}`}
            >
              View Details
            </a>
          </div>
        </li>
      ))}
    </ul>
  )
}
