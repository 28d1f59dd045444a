import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Trash2, Undo2 } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { formOf, redirectWithToast } from '#app/lib/form-submission.ts'
import { ago, dayOf } from '#app/lib/time.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Empty } from '#app/ui/components/empty-state.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Older } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { press } from '#modules/core/run-action.server.ts'
import {
  eraseRecord,
  kindOf,
  recordKinds,
  restoreRecord,
  trash,
  trashDays,
  trashedKinds,
  trashedTitle,
} from '#modules/core/trash.ts'
import type { Ctx } from '#tenants/context.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Trash')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const kinds = (await trashedKinds(ctx)).map(({ kind, label }) => ({ kind, label }))
  const only = kinds.find(({ kind }) => kind === searchParams.get('kind'))?.kind ?? null
  const now = ctx.now()
  const records = await trash(ctx, { only, rows: pageRows + 1, after: placeIn(searchParams.get('before')) })
  const shown = records.slice(0, pageRows)
  const last = records.length > pageRows ? shown.at(-1)! : null
  return {
    days: trashDays,
    kinds,
    only,
    erasing: await chosen(ctx, searchParams.get('erase')),
    older:
      last &&
      `/trash?${new URLSearchParams({ ...(only ? { kind: only } : {}), before: `${last.deletedAt.getTime()}-${last.place}` })}`,
    records: shown.map(({ kind, label, id, title, deletedAt, erasedAt }) => ({
      kind,
      label,
      id,
      title,
      deleted: ago(deletedAt, now),
      erased: dayOf(erasedAt, ctx.account.timezone),
    })),
  }
}

const pageRows = 50

/** Where a page of the trash begins; what can't be read is the first one. */
function placeIn(before: string | null) {
  const [, at, id] = /^(\d{1,13})-(\d{1,15})$/.exec(before ?? '') ?? []
  return at && id ? { at: new Date(Number(at)).toISOString(), id: Number(id) } : null
}

/** What the address asks to erase; null when it isn't there. */
async function chosen(ctx: Ctx, asked: string | null) {
  const [, name, wanted] = /^(\w+)-(\d+)$/.exec(asked ?? '') ?? []
  const kind = recordKinds.find(({ kind: own }) => own === name)
  const id = parseId(wanted)
  const title = kind && id ? await trashedTitle(ctx, kind, id) : null
  return kind && title !== null ? { kind: kind.kind, id, title, also: kind.alsoErased ?? '' } : null
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  const form = await formOf(request)
  const kind = kindOf(String(form.get('kind')))
  const id = parseId(form.get('id'))
  const to = form.get('only') ? `/trash?kind=${kind.kind}` : '/trash'
  switch (form.get('intent')) {
    case 'restore': {
      const title = await trashedTitle(ctx, kind, id)
      if (title === null)
        return redirectWithToast(to, {
          tone: 'error',
          title: 'Error',
          text: `This ${kind.label.toLowerCase()} is not in the trash any more.`,
        })
      return press(context, {
        to,
        sorry: `Failed to restore the ${kind.label.toLowerCase()}. Please try again.`,
        done: { tone: 'success', title: `${kind.label} restored`, text: title },
        work: (tx) => restoreRecord(tx, kind, id),
      })
    }
    case 'erase':
      return press(context, {
        to,
        sorry: `Failed to erase the ${kind.label.toLowerCase()}. Please try again.`,
        done: { tone: 'success', title: `${kind.label} erased` },
        work: (tx) => eraseRecord(tx, kind, id),
      })
    default:
      throw new AppError('bad_request', 'This form could not be read.')
  }
}

export const clientAction = keepTyped({
  restore: 'Failed to restore it. Please try again.',
  erase: 'Failed to erase it. Please try again.',
})

export { revalidates as shouldRevalidate }

/** What was deleted, of every kind, until it is erased. */
export default function Trash() {
  const { days, older, kinds, only, records, erasing } = useLoaderData<typeof loader>()
  const here = only ? `/trash?kind=${only}` : '/trash'
  return (
    <Page
      title="Trash"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Trash' }]}
      sentence={`What you delete is kept here for ${days} days, then erased.`}
    >
      {kinds.length > 1 && (
        <Segmented
          label="Show"
          className="mb-4 max-w-full overflow-x-auto"
          segments={[
            { label: 'All', to: '/trash', current: !only },
            ...kinds.map(({ kind, label }) => ({ label, to: `/trash?kind=${kind}`, current: kind === only })),
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
                  {label} · deleted {deleted.toLowerCase()} · erased on {erased}
                </span>
              </span>
              <Form method="post" action="/trash" className="flex gap-2" preventScrollReset>
                <input type="hidden" name="kind" value={kind} />
                <input type="hidden" name="id" value={id} />
                {only && <input type="hidden" name="only" value="yes" />}
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
                  to={`/trash?${new URLSearchParams({ ...(only ? { kind: only } : {}), erase: `${kind}-${id}` })}`}
                  preventScrollReset
                  variant="ghost"
                  size="sm"
                  className="btn-icon"
                  aria-label={`Delete ${title} forever`}
                >
                  <Trash2 className="i" />
                </ButtonLink>
              </Form>
            </li>
          ))}
        </ul>
      ) : (
        <div className="card">
          <Empty title="The trash is empty">What you delete can be restored from here.</Empty>
        </div>
      )}
      {older && <Older to={older} />}
      {erasing && (
        <ConfirmDialog
          title={`Erase ${erasing.title}`}
          confirm="Delete forever"
          busyLabel="Erasing..."
          closeTo={here}
          action="/trash"
          fields={{ intent: 'erase', kind: erasing.kind, id: String(erasing.id), ...(only ? { only: 'yes' } : {}) }}
        >
          It is erased now, for good, with everything that belongs to it. {erasing.also} There is no Undo.
        </ConfirmDialog>
      )}
    </Page>
  )
}
