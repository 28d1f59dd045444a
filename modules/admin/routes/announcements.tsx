import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { addDays, formatDate, localDate } from '#app/lib/time.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { FieldNote, FormError, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm, type ServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { announcementFields, planNames, planTitles } from '../fields.ts'
import { AnnouncementEdit, NewAnnouncement } from '../forms.ts'
import { adminUrl, announcementsUrl, pageSize } from '../list-state.ts'
import { listAnnouncements, type AnnouncementRow } from '../queries/announcements.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from '../services/announcements.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Announcements')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const { dialog, announcement: id, page } = announcementsUrl.parse(request.url)
  const zone = ctx.account.timezone
  const now = ctx.now().toISOString()
  const toItem = ({ startsAt, endsAt, ...row }: AnnouncementRow) => {
    const lastDay = new Date(Date.parse(endsAt) - 1)
    return {
      ...row,
      from: localDate(startsAt, zone),
      until: localDate(lastDay, zone),
      days: `${formatDate(startsAt, zone)} to ${formatDate(lastDay, zone)}`,
      state: endsAt <= now ? ('Ended' as const) : startsAt > now ? ('Planned' as const) : ('Shown' as const),
    }
  }
  const [rows, [selected]] = await Promise.all([
    listAnnouncements(ctx, { rows: pageSize, skip: (page - 1) * pageSize }),
    dialog && id ? listAnnouncements(ctx, { id }) : [],
  ])
  if (!rows.length && page > 1) throw redirect(announcementsUrl.href())
  const today = localDate(ctx.now(), zone)
  return {
    items: rows.map(toItem),
    total: rows[0]?.total ?? 0,
    page,
    dialog,
    selected: selected ? toItem(selected) : null,
    suggested: { from: today, until: addDays(today, 6) },
  }
}

const messages = {
  add: { done: 'Announcement added', failed: 'Failed to add the announcement. Please try again.' },
  edit: { done: 'Announcement saved', failed: 'Failed to save the announcement. Please try again.' },
  delete: { done: 'Announcement deleted', failed: 'Failed to delete the announcement. Please try again.' },
}

export const action = formActions(
  messages,
  {
    add: { schema: NewAnnouncement, run: createAnnouncement },
    edit: {
      schema: AnnouncementEdit,
      run: (ctx, { id, version, ...input }) => updateAnnouncement(ctx, id, input, version),
    },
    delete: { schema: ById, run: (ctx, { id }) => deleteAnnouncement(ctx, id) },
  },
  { home: announcementsUrl.href(), dialog: ['dialog', 'announcement'], authorize: requireAdmin },
)

export const clientAction = formClientAction(messages)

type Item = ReturnType<typeof useLoaderData<typeof loader>>['items'][number]

export default function Announcements() {
  const { items, total, page } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Announcements"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Admin Console', to: adminUrl.href() },
        { label: 'Announcements' },
      ]}
      description="Coaches see them above their pages until they dismiss them. Clients and visitors never do."
    >
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        <Card title="New announcement">
          <AddForm key={items[0]?.id ?? 0} />
        </Card>
        <Card title="All announcements">
          {items.length ? (
            <ul className="rows border-t border-line-soft">
              {items.map((item) => (
                <AnnouncementItem key={item.id} item={item} />
              ))}
            </ul>
          ) : (
            <p className="border-t border-line-soft px-5 py-5 text-ink-2">There are no announcements yet.</p>
          )}
        </Card>
        <PageSummary
          page={page}
          size={pageSize}
          rows={items.length}
          count={total}
          to={(to) => announcementsUrl.href({ page: to })}
        />
      </div>
      <OpenDialog />
    </Page>
  )
}

const tones = { Shown: 'success', Planned: 'info', Ended: 'neutral' } as const

function AnnouncementItem({ item: { id, title, body, days, plans, state } }: { item: Item }) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold wrap-anywhere">{title}</span>
          <Badge tone={tones[state]}>{state}</Badge>
        </p>
        <p className="whitespace-pre-line wrap-anywhere text-ink-2">{body}</p>
        <p className="text-sm text-ink-3">
          {days}, for {new Intl.ListFormat('en-US').format(plans.map((plan) => planTitles[plan]))}
        </p>
      </div>
      <div className="flex gap-2">
        <ButtonLink
          to={announcementsUrl.href({ dialog: 'edit', announcement: id })}
          size="sm"
          aria-label={`Edit ${title}`}
          preventScrollReset
        >
          Edit
        </ButtonLink>
        <ButtonLink
          to={announcementsUrl.href({ dialog: 'delete', announcement: id })}
          size="sm"
          aria-label={`Delete ${title}`}
          preventScrollReset
        >
          Delete
        </ButtonLink>
      </div>
    </li>
  )
}

function AddForm() {
  const { suggested } = useLoaderData<typeof loader>()
  const { form, fields, submitted, busy } = useServerForm(announcementFields, {
    id: 'new-announcement',
    intent: 'add',
    values: suggested,
  })
  return (
    <Form method="post" {...form.props} className="grid gap-4 border-t border-line-soft px-5 py-5" preventScrollReset>
      <input type="hidden" name="intent" value="add" />
      <FormError id={form.errorId} errors={form.errors} />
      <AnnouncementInputs fields={fields} plans={getChosen(submitted, [...planNames])} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Adding...">
          Add Announcement
        </Button>
      </div>
    </Form>
  )
}

function AnnouncementInputs({
  fields,
  plans,
}: Pick<ServerForm<typeof announcementFields>, 'fields'> & { plans: string[] }) {
  return (
    <>
      <TextField field={fields.title} autoComplete="off" />
      <TextAreaField field={fields.body} rows={4} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField field={fields.from} type="date" min="1900-02-01" max="2200-11-30" />
        <TextField field={fields.until} type="date" min="1900-02-01" max="2200-11-30" hint="The last day." />
      </div>
      <fieldset aria-describedby={fields.plans.errors?.length ? `${fields.plans.id}-error` : undefined}>
        <legend className="label mb-2">Plans</legend>
        {/* So that the field is there without any of them, and can have an error. */}
        <input type="hidden" name="plans" value="" />
        <div className="flex flex-wrap gap-x-6 gap-y-1">
          {planNames.map((name) => (
            <label key={name} className="flex min-h-8 items-center gap-2.5">
              <input
                type="checkbox"
                name="plans"
                value={name}
                className="check"
                defaultChecked={plans.includes(name)}
              />
              {planTitles[name]}
            </label>
          ))}
        </div>
        <FieldNote field={fields.plans} />
      </fieldset>
    </>
  )
}

/** The plans of a form that was sent, or else `stored`. */
function getChosen(submitted: Record<string, unknown> | undefined, stored: string[]): string[] {
  if (!submitted) return stored
  return [submitted.plans ?? []].flat().filter((name): name is string => typeof name === 'string')
}

function OpenDialog() {
  const { dialog, selected, page } = useLoaderData<typeof loader>()
  const closeTo = announcementsUrl.href({ page })
  if (!selected) return null
  if (dialog === 'edit') return <EditDialog key={selected.version} item={selected} closeTo={closeTo} />
  return (
    <ConfirmDialog
      title="Delete this announcement?"
      confirm="Delete Announcement"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete', id: String(selected.id) }}
    >
      No coach sees ‘{selected.title}’ any more.
    </ConfirmDialog>
  )
}

function EditDialog({ item, closeTo }: { item: Item; closeTo: string }) {
  const { title, body, from, until } = item
  const { form, fields, submitted, busy } = useServerForm(announcementFields, {
    id: 'edit-announcement',
    intent: 'edit',
    values: { title, body, from, until },
  })
  return (
    <Dialog title="Edit Announcement" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={item.id} />
          <input type="hidden" name="version" value={item.version} />
          <FormError id={form.errorId} errors={form.errors} />
          <AnnouncementInputs fields={fields} plans={getChosen(submitted, item.plans)} />
          <DialogSubmit busy={busy} busyLabel="Saving...">
            Save Announcement
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
