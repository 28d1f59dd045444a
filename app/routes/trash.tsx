import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { FileCheck2, Trash2, Undo2 } from 'lucide-react'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { formatCalendarDate, formatRelative, localDate } from '#app/lib/time.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { listErasureReports, type ErasureReportRow } from '#modules/core/erasure-reports.ts'
import type { RecordKind } from '#modules/core/manifest.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import {
  eraseRecord,
  restoreRecord,
  listTrash,
  trashDays,
  listTrashedKinds,
  getTrashedTitle,
} from '#modules/core/trash.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import type { Ctx } from '#tenants/context.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Trash')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const kinds = (await listTrashedKinds(ctx)).map(({ kind, label }) => ({ kind, label }))
  const kindFilter = kinds.find(({ kind }) => kind === searchParams.get('kind'))?.kind ?? null
  const now = ctx.now()
  const showsReports = searchParams.get('view') === 'reports'
  const reports = await listErasureReports(ctx, {
    rows: showsReports ? pageSize + 1 : 1,
    before: (showsReports && parseId(searchParams.get('before'))) || null,
  })
  const records = await listTrash(ctx, {
    only: kindFilter,
    rows: pageSize + 1,
    after: parseCursor(searchParams.get('before')),
  })
  const page = records.slice(0, pageSize)
  const last = records.length > pageSize ? page.at(-1)! : null
  return {
    days: trashDays,
    kinds,
    kindFilter,
    hasReports: showsReports || reports.length > 0,
    reports: showsReports ? reports.slice(0, pageSize).map((report) => toReportRow(ctx, report)) : null,
    olderReports: reports.length > pageSize ? `/trash?view=reports&before=${reports[pageSize - 1]!.id}` : null,
    erasing: await findRecordToErase(ctx, searchParams.get('erase')),
    older: last && trashHref(kindFilter, { before: `${last.deletedAt.getTime()}-${last.position}` }),
    records: page.map(({ kind, label, id, title, deletedAt, erasedAt }) => ({
      kind,
      label,
      id,
      title,
      deleted: formatRelative(deletedAt, now),
      erased: formatCalendarDate(localDate(erasedAt, ctx.account.timezone), { month: 'short', day: 'numeric' }),
    })),
  }
}

const pageSize = 50

function toReportRow(ctx: Ctx, { id, kind, recordNumber, trashedAt, erasedAt, counts }: ErasureReportRow) {
  const toDay = (at: string) =>
    formatCalendarDate(localDate(new Date(at), ctx.account.timezone), {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
    })
  const label = ctx.platform.extensions.recordKinds.find((one) => one.kind === kind)?.label ?? kind
  const join = (column: 'deleted' | 'kept') =>
    counts
      .filter((count) => count[column])
      .map((count) => `${count[column]} ${count.label[count[column] === 1 ? 0 : 1]}`)
  return {
    id,
    title: `${label} no. ${recordNumber}`,
    trashed: toDay(trashedAt),
    erased: toDay(erasedAt),
    deleted: join('deleted').join(', '),
    kept: join('kept').join(', '),
  }
}

const trashHref = (kindFilter: string | null, params: Record<string, string> = {}): string => {
  const query = new URLSearchParams({ ...(kindFilter ? { kind: kindFilter } : {}), ...params }).toString()
  return query ? `/trash?${query}` : '/trash'
}

/** Null, the first page, for an invalid cursor. */
function parseCursor(before: string | null): Cursor | null {
  const [, at, id] = /^(\d{1,13})-(\d{1,15})$/.exec(before ?? '') ?? []
  return at && id ? { at: new Date(Number(at)).toISOString(), id: Number(id) } : null
}

/** The record that `?erase=<kind>-<id>` asks to delete permanently. Null if it is not in the trash. */
async function findRecordToErase(ctx: Ctx, param: string | null) {
  const [, kindName, idText] = /^(\w+)-(\d+)$/.exec(param ?? '') ?? []
  const kind = ctx.extensions.recordKinds.find((recordKind) => recordKind.kind === kindName)
  const id = parseId(idText)
  const title = kind && id ? await getTrashedTitle(ctx, kind, id) : null
  return kind && title !== null ? { kind: kind.kind, id, title, note: toEraseNote(kind, id) } : null
}

const toEraseNote = ({ isPerson, label, eraseNote = '' }: RecordKind, id: number): string =>
  isPerson ? `${eraseNote} A report without the name stays: ${label.toLowerCase()} no. ${id}.` : eraseNote

const messages = {
  restore: { done: { title: 'Restored' }, failed: 'Failed to restore the record. Please try again.' },
  erase: { done: { title: 'Permanently deleted' }, failed: 'Failed to delete the record. Please try again.' },
}

const RecordInTrash = ById.extend({ kind: z.string() })

export const action = formActions(
  messages,
  {
    restore: {
      schema: RecordInTrash,
      isButton: true,
      to: ({ form }) => trashHref(form.get('only') ? String(form.get('kind')) : null),
      run: async (ctx, { kind: kindName, id }) => {
        const kind = getRecordKind(ctx, kindName)
        const title = await getTrashedTitle(ctx, kind, id)
        if (title === null)
          throw new AppError('not_found', `This ${kind.label.toLowerCase()} is no longer in the trash.`)
        await restoreRecord(ctx, kind, id)
        return success({ toast: { title: `${kind.label} restored`, text: title } })
      },
    },
    erase: {
      schema: RecordInTrash,
      isButton: true,
      to: ({ form }) => trashHref(form.get('only') ? String(form.get('kind')) : null),
      run: async (ctx, { kind: kindName, id }) => {
        const kind = getRecordKind(ctx, kindName)
        await eraseRecord(ctx, kind, id)
        const text = kind.isPerson ? `Erasure report: ${kind.label.toLowerCase()} no. ${id}` : undefined
        return success({ toast: { title: `${kind.label} permanently deleted`, ...(text ? { text } : {}) } })
      },
    },
  },
  { home: '/trash' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function TrashPage() {
  const { days, older, kinds, kindFilter, records, hasReports, reports, olderReports, erasing } =
    useLoaderData<typeof loader>()
  if (reports) return <Reports reports={reports} older={olderReports} />
  return (
    <Page
      title="Trash"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Trash' }]}
      description={`Deleted items stay here for ${days} days, then they are permanently deleted.`}
      actions={
        hasReports ? (
          <ButtonLink to="/trash?view=reports" icon={FileCheck2}>
            Erasure Reports
          </ButtonLink>
        ) : undefined
      }
    >
      {kinds.length > 1 && (
        <Segmented
          label="Show"
          className="mb-4 max-w-full overflow-x-auto"
          segments={[
            { label: 'All', to: '/trash', current: !kindFilter },
            ...kinds.map(({ kind, label }) => ({ label, to: trashHref(kind), current: kind === kindFilter })),
          ]}
        />
      )}
      {records.length ? (
        <ul aria-label="Deleted" className="card rows overflow-hidden">
          {records.map(({ kind, label, id, title, deleted, erased }) => (
            <li key={`${kind}-${id}`} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
              <span className="min-w-0 flex-1 basis-48">
                <span className="block truncate font-semibold">{title}</span>
                <span className="block truncate text-sm text-ink-3">
                  {label} · deleted {deleted.toLowerCase()} · permanently deleted {erased}
                </span>
              </span>
              <Form method="post" action="/trash" className="flex gap-2" preventScrollReset>
                <input type="hidden" name="kind" value={kind} />
                <input type="hidden" name="id" value={id} />
                {kindFilter && <input type="hidden" name="only" value="yes" />}
                <Button
                  type="submit"
                  size="sm"
                  icon={Undo2}
                  name="intent"
                  value="restore"
                  aria-label={`Restore ${title}`}
                >
                  Restore
                </Button>
                <ButtonLink
                  to={trashHref(kindFilter, { erase: `${kind}-${id}` })}
                  preventScrollReset
                  variant="ghost"
                  size="sm"
                  className="btn-icon"
                  aria-label={`Permanently delete ${title}`}
                >
                  <Trash2 className="i" />
                </ButtonLink>
              </Form>
            </li>
          ))}
        </ul>
      ) : (
        <div className="card">
          <EmptyState title="The trash is empty">You can restore deleted items from here.</EmptyState>
        </div>
      )}
      {older && <LoadOlderLink to={older} />}
      {erasing && (
        <ConfirmDialog
          title={`Delete ${erasing.title} permanently?`}
          confirm="Delete permanently"
          busyLabel="Deleting..."
          closeTo={trashHref(kindFilter)}
          action="/trash"
          fields={{
            intent: 'erase',
            kind: erasing.kind,
            id: String(erasing.id),
            ...(kindFilter ? { only: 'yes' } : {}),
          }}
        >
          This permanently deletes {erasing.title} and everything belonging to it. {erasing.note} This can't be undone.
        </ConfirmDialog>
      )}
    </Page>
  )
}

type ReportRow = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['reports']>[number]

function Reports({ reports, older }: { reports: ReportRow[]; older: string | null }) {
  return (
    <Page
      title="Erasure Reports"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Trash', to: '/trash' },
        { label: 'Erasure Reports' },
      ]}
      description={
        'What was deleted with a client or prospect, and what stayed. Reports name nobody. ' +
        "The number is the one in the address of the person's page, such as /clients/12."
      }
    >
      {reports.length ? (
        <ul aria-label="Erasure reports" className="card rows overflow-hidden">
          {reports.map(({ id, title, trashed, erased, deleted, kept }) => (
            <li key={id} className="px-5 py-3">
              <h2 className="font-semibold">{title}</h2>
              <p className="text-sm text-ink-3">
                In the trash: {trashed} · Permanently deleted: {erased}
              </p>
              <p className="mt-1 text-sm">
                Deleted: name, contact details, notes{deleted && `, ${deleted}`}, and everything belonging to them
              </p>
              {kept && <p className="text-sm">Kept in your records: {kept}</p>}
            </li>
          ))}
        </ul>
      ) : (
        <div className="card">
          <EmptyState title="No erasure reports">
            When a client or prospect is permanently deleted, this page says what was deleted.
          </EmptyState>
        </div>
      )}
      {older && <LoadOlderLink to={older} />}
    </Page>
  )
}
