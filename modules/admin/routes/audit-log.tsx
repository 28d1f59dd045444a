import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { auditActionTexts } from '../fields.ts'
import { listAuditChanges } from '../format.ts'
import { adminUrl, auditLogUrl, pageSize } from '../list-state.ts'
import { listAuditLog } from '../queries/audit-log.ts'
import { requireAdmin } from '../require-admin.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Audit Log')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const { after } = auditLogUrl.parse(request.url)
  const entries = await listAuditLog(ctx, { after: after ? { id: after } : null, rows: pageSize + 1 })
  const page = entries.slice(0, pageSize)
  return {
    older: entries.length > pageSize ? auditLogUrl.href({ after: page.at(-1)!.id }) : null,
    entries: page.map(({ id, actorEmail, action, targetEmail, before, after, ipAddress, createdAt }) => ({
      id,
      actorEmail,
      action,
      targetEmail,
      ipAddress,
      createdAt,
      when: formatDateTime(createdAt, ctx.account),
      changes: listAuditChanges(before, after, ctx.account),
    })),
  }
}

export default function AuditLog() {
  const { entries, older } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Audit Log"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Admin Console', to: adminUrl.href() },
        { label: 'Audit Log' },
      ]}
      description="What administrators did, newest first. Nobody can change it."
    >
      {entries.length ? (
        <ol aria-label="Audit log" className="card rows max-w-3xl overflow-hidden">
          {entries.map((entry) => (
            <li key={entry.id} className="grid gap-2 px-5 py-4">
              <div>
                <p className="wrap-anywhere">
                  <span className="font-semibold">{entry.actorEmail ?? 'The operator'}</span>{' '}
                  {auditActionTexts[entry.action]}
                  {entry.targetEmail && <span className="font-semibold"> {entry.targetEmail}</span>}
                </p>
                <p className="num text-sm text-ink-3">
                  <time dateTime={entry.createdAt}>{entry.when}</time>
                  {entry.ipAddress && `, from ${entry.ipAddress}`}
                </p>
              </div>
              {entry.changes.length > 0 && (
                <dl className="grid gap-2">
                  {entry.changes.map(({ label, from, to }) => (
                    <div key={label} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
                      <dt className="text-sm text-ink-3">{label}</dt>
                      <dd className="min-w-0 wrap-anywhere">{from && to ? `${from} → ${to}` : (from ?? to)}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ol>
      ) : (
        <div className="card">
          <EmptyState title="No entries">New coaches, changes of plans and removals appear here.</EmptyState>
        </div>
      )}
      {older && <LoadOlderLink to={older} />}
    </Page>
  )
}
