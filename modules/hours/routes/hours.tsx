import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, Ellipsis, Plus } from 'lucide-react'
import { formatDate, formatCalendarDate } from '#app/lib/time.ts'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { DayFilter } from '#app/ui/forms/day-filter.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { EntryDialog } from '../components/entry-dialog.tsx'
import { countings, credentials, formats } from '../fields.ts'
import { CountForm, EditEntryForm, EntryForm } from '../forms.ts'
import { formatLongHours } from '../format.ts'
import { hoursExportUrl, hoursUrl, maxEntries, pageSize } from '../list-state.ts'
import { getEntryForEdit } from '../queries/entries.ts'
import { getLog, type ClientHours } from '../queries/log.ts'
import type { EntryRecord } from '../records.ts'
import { setCounting } from '../services/counting.ts'
import { createEntry, deleteEntry, restoreEntry, updateEntry } from '../services/entries.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Coaching Hours')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { dialog, entry: id, ...state } = hoursUrl.parse(request.url)
  const [{ clients, entries, totals }, selected] = await Promise.all([
    getLog(ctx, { ...state, rows: maxEntries + 1 }),
    id ? getEntryForEdit(ctx, id) : null,
  ])
  const lastPage = countPages(totals.rows, pageSize)
  if (state.page > lastPage) throw redirect(hoursUrl.href(state, { page: lastPage }))
  return {
    state,
    clients: clients.map((one) => toClientRow(ctx, one)),
    entries: entries.slice(0, maxEntries).map(toEntryRow),
    hasMoreEntries: entries.length > maxEntries,
    totals,
    dialog,
    selected,
    isMissing: id !== null && !selected,
  }
}

function toClientRow(ctx: Ctx, { clientId, name, contact, sessions, minutes, first, last, ...rest }: ClientHours) {
  const { timezone } = ctx.account
  const [from, to] = [formatDate(first, timezone), formatDate(last, timezone)]
  const details = [
    `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
    from === to ? from : `${from} to ${to}`,
    contact,
  ]
  return { clientId, name, hours: formatLongHours(minutes), detail: details.filter(Boolean).join(' · '), ...rest }
}

const longDate = { month: 'short', day: 'numeric', year: 'numeric' } as const

function toEntryRow({ id, clientName, contact, format, participants, startDate, endDate, ...minutes }: EntryRecord) {
  const [from, to] = [formatCalendarDate(startDate, longDate), formatCalendarDate(endDate, longDate)]
  const who = participants === null ? formats[format] : `${formats[format]} of ${participants}`
  return {
    id,
    clientName,
    detail: [who, from === to ? from : `${from} to ${to}`, contact].filter(Boolean).join(' · '),
    paid: minutes.paidMinutes ? formatLongHours(minutes.paidMinutes) : null,
    proBono: minutes.proBonoMinutes ? formatLongHours(minutes.proBonoMinutes) : null,
  }
}

const messages = {
  add: { done: 'Hours added', failed: 'Failed to add the hours.' },
  edit: { done: 'Hours updated', failed: 'Failed to update the hours.' },
  delete: { done: 'Hours deleted', failed: 'Failed to delete the hours.' },
  restore: { done: 'Hours restored', failed: 'Failed to restore the hours.' },
  count: { done: 'Sessions counted', failed: 'Failed to count the sessions.' },
}

export const action = formActions(
  messages,
  {
    add: { schema: EntryForm, run: createEntry, to: () => hoursUrl.href() },
    edit: { schema: EditEntryForm, run: (ctx, { id, version, ...input }) => updateEntry(ctx, id, input, version) },
    delete: { schema: ById, run: (ctx, { id }) => deleteEntry(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreEntry(ctx, id), to: ({ page }) => page },
    count: { schema: CountForm, run: setCounting, to: ({ page }) => page, isButton: true },
  },
  { home: hoursUrl.href(), dialog: ['dialog', 'entry'] },
)

export const clientAction = formClientAction(messages)

export default function HoursPage() {
  const { state, clients, entries, totals, dialog, selected, isMissing } = useLoaderData<typeof loader>()
  const closeTo = hoursUrl.href(state)
  const add = hoursUrl.href(state, { dialog: 'add' })
  const isFiltered = state.from !== null || state.to !== null
  return (
    <Page
      title="Coaching Hours"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Coaching Hours' }]}
      description="Completed sessions by client, as the ICF asks for in its client coaching log."
      actions={
        <>
          <a className="btn btn-secondary" href={hoursExportUrl.href(state)}>
            <Download className="i" />
            CSV
          </a>
          <PrimaryLink icon={Plus} to={add} preventScrollReset>
            Add Hours
          </PrimaryLink>
        </>
      }
    >
      <FilterForm
        action="/hours"
        values={{ from: state.from ?? '', to: state.to ?? '' }}
        className="mb-6 flex flex-wrap items-end gap-3"
      >
        <DayFilter label="From" name="from" value={state.from} />
        <DayFilter label="To" name="to" value={state.to} />
        <noscript>
          <button type="submit" className="btn btn-secondary">
            Show
          </button>
        </noscript>
        {isFiltered && <ButtonLink to={hoursUrl.href()}>All time</ButtonLink>}
      </FilterForm>
      <Stats
        className="mb-6"
        stats={[
          { label: 'All hours', value: formatLongHours(totals.paidMinutes + totals.proBonoMinutes) },
          { label: 'Paid', value: formatLongHours(totals.paidMinutes) },
          { label: 'Pro bono', value: formatLongHours(totals.proBonoMinutes) },
          { label: 'Clients', value: totals.clients.toLocaleString('en-US') },
        ]}
      />
      <Card title="Sessions in your calendar">
        {clients.length ? <ClientRows /> : <NoSessions isFiltered={isFiltered} />}
      </Card>
      {clients.length > 0 && (
        <PageSummary
          page={state.page}
          size={pageSize}
          rows={clients.length}
          count={totals.rows}
          to={(page) => hoursUrl.href(state, { page })}
        />
      )}
      {entries.length > 0 && <EntryRows />}
      {!isFiltered && <Credentials />}
      {dialog === 'add' && <EntryDialog closeTo={closeTo} />}
      {dialog === 'edit' && selected && (
        <EntryDialog
          key={selected.id}
          entry={selected}
          closeTo={closeTo}
          deleteTo={hoursUrl.href(state, { dialog: 'delete', entry: selected.id })}
        />
      )}
      {dialog === 'delete' && selected && (
        <ConfirmDialog
          title="Delete Hours"
          confirm="Delete Hours"
          busyLabel="Deleting..."
          closeTo={closeTo}
          fields={{ intent: 'delete', id: String(selected.id) }}
        >
          The hours of “{selected.clientName}” stay in the trash for 30 days.
        </ConfirmDialog>
      )}
      {isMissing && <NotFoundDialog label="Entry" kind="hours_entry" closeTo={closeTo} />}
    </Page>
  )
}

function NoSessions({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No sessions found">No session was completed in this period.</EmptyState>
  ) : (
    <EmptyState title="No completed sessions yet" illustration={<ChairsIllustration />}>
      Each session that you mark as completed counts here. Add what you coached before.
    </EmptyState>
  )
}

function ClientRows() {
  const { clients } = useLoaderData<typeof loader>()
  return (
    <ul className="rows border-t border-line-soft" aria-label="Clients">
      {clients.map(({ clientId, name, detail, hours, counting, isChosen }) => (
        <li key={clientId} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <Link to={`/clients/${clientId}`} className="font-medium wrap-anywhere hover:underline">
              {name}
            </Link>
            <p className="text-sm text-ink-3 wrap-anywhere">{detail}</p>
          </div>
          <div className="shrink-0 text-right">
            <p className="num font-medium">{hours}</p>
            <Badge>{countings[counting]}</Badge>
          </div>
          <Menu
            label={`How the sessions of ${name} count`}
            entries={[
              ...(isChosen ? [{ label: 'By payments', fields: { intent: 'count', clientId: String(clientId) } }] : []),
              ...Object.entries(countings)
                .filter(([value]) => value !== counting || !isChosen)
                .map(([value, label]) => ({
                  label,
                  fields: { intent: 'count', clientId: String(clientId), counting: value },
                })),
            ]}
          >
            <Ellipsis className="i" />
          </Menu>
        </li>
      ))}
    </ul>
  )
}

function EntryRows() {
  const { state, entries, hasMoreEntries } = useLoaderData<typeof loader>()
  return (
    <Card title="Other hours" className="mt-6">
      <ul className="rows border-t border-line-soft" aria-label="Other hours">
        {entries.map(({ id, clientName, detail, paid, proBono }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-3">
            <div className="min-w-0 flex-1">
              <Link
                to={hoursUrl.href(state, { dialog: 'edit', entry: id })}
                className="font-medium wrap-anywhere hover:underline"
                preventScrollReset
              >
                {clientName}
              </Link>
              <p className="text-sm text-ink-3 wrap-anywhere">{detail}</p>
            </div>
            <div className="num shrink-0 text-right">
              {paid && <p className="font-medium">{paid} paid</p>}
              {proBono && <p className="font-medium">{proBono} pro bono</p>}
            </div>
          </li>
        ))}
      </ul>
      {hasMoreEntries && <p className="note border-t border-line-soft px-5 py-3">The CSV file has all of them.</p>}
    </Card>
  )
}

/** How far the coach is from each credential. */
function Credentials() {
  const { totals } = useLoaderData<typeof loader>()
  const all = totals.paidMinutes + totals.proBonoMinutes
  return (
    <Card title="ICF credentials" className="mt-6">
      <ul className="rows border-t border-line-soft" aria-label="ICF credentials">
        {credentials.map(({ name, hours, paid, clients }) => {
          const missing = [
            all < hours * 60 && `${formatLongHours(hours * 60 - all)} more`,
            totals.paidMinutes < paid * 60 &&
              `${formatLongHours(paid * 60 - totals.paidMinutes)} more of paid coaching`,
            totals.clients < clients && `${clients - totals.clients} more clients`,
          ].filter((text) => text !== false)
          return (
            <li key={name} className="flex flex-wrap items-baseline gap-x-3 px-5 py-3">
              <span className="font-medium">{name}</span>
              <span className="text-sm text-ink-3">
                {hours.toLocaleString('en-US')} hours, {paid.toLocaleString('en-US')} of them paid, {clients} clients
              </span>
              <span className="w-full text-sm text-ink-2">
                {missing.length ? `Missing: ${missing.join(', ')}` : 'You have the hours and the clients.'}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="note border-t border-line-soft px-5 py-3">
        Training, mentoring and exams are required as well, and some of the hours must be recent. The ICF’s website has
        what counts today.
      </p>
    </Card>
  )
}
