import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Plus, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { loadAvailability } from '../availability-loader.server.ts'
import { messages } from '../availability-messages.ts'
import { availabilityUrl } from '../availability-state.ts'
import { formatRanges } from '../availability/hours.ts'
import { AvailabilityPreview } from '../components/availability-preview.tsx'
import { NewScheduleDialog } from '../components/new-schedule-dialog.tsx'
import { DateOverrides } from '../components/date-overrides.tsx'
import { ScheduleForm } from '../components/schedule-form.tsx'
import { TypeDot } from '../components/type-dot.tsx'
import {
  NewScheduleName,
  OverrideForm,
  RemoveOverrideForm,
  ScheduleInput,
  ScheduleEditForm,
  ScheduleForm as NewScheduleForm,
} from '../forms.ts'
import { getSchedule } from '../queries/schedules.ts'
import { createSchedule, deleteSchedule, restoreSchedule, setOverride, updateSchedule } from '../services/schedules.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Availability')

export async function loader({ request, context }: LoaderFunctionArgs) {
  return loadAvailability(context.coach(), request.url)
}

export const action = formActions(
  messages,
  {
    add: {
      schema: NewScheduleForm,
      run: async (ctx, input) => {
        const { id } = await createSchedule(ctx, input)
        return success({ to: availabilityUrl.href({ schedule: id }) })
      },
    },
    create: {
      schema: NewScheduleName,
      run: async (ctx, { name }) => {
        const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' }))
        const { id } = await createSchedule(ctx, ScheduleInput.parse({ name, hours }))
        return success({ to: availabilityUrl.href({ schedule: id }) })
      },
    },
    save: {
      schema: ScheduleEditForm,
      run: (ctx, { id, version, ...input }) => updateSchedule(ctx, id, input, version),
    },
    'set-override': {
      schema: OverrideForm,
      run: (ctx, { id, date, hours }) => setOverride(ctx, id, { date, ranges: hours }),
    },
    'remove-override': {
      schema: RemoveOverrideForm,
      isButton: true,
      run: async (ctx, { id, date }) => {
        const removed = (await getSchedule(ctx, id)).overrides.find((override) => override.date === date)
        await setOverride(ctx, id, { date, ranges: null })
        if (!removed) return success({})
        const fields = {
          intent: 'set-override',
          id: String(id),
          date,
          hours: formatRanges(removed.ranges, ctx.account.timeFormat),
        }
        return success({ toast: { action: { label: 'Undo', to: '/calendar/availability', fields } } })
      },
    },
    'make-default': { schema: ById, run: (ctx, { id }) => updateSchedule(ctx, id, { isDefault: true }) },
    delete: {
      schema: ById,
      run: (ctx, { id }) => deleteSchedule(ctx, id),
      undo: 'restore',
      to: () => availabilityUrl.href(),
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreSchedule(ctx, id), to: ({ page }) => page },
  },
  { home: availabilityUrl.href(), dialog: ['dialog'] },
)

export const clientAction = formClientAction(messages)

export default function AvailabilityPage() {
  const { state, isMissing, ownZone, zones, week, schedules, schedule, types, preview } = useLoaderData<typeof loader>()
  const closeTo = availabilityUrl.href(state, { dialog: null })
  return (
    <Page
      title="Availability"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Calendar', to: '/calendar' },
        { label: 'Availability' },
      ]}
      description="When clients and visitors can book you."
      actions={
        <>
          <ButtonLink to="/calendar/sharing">Sharing</ButtonLink>
          {schedules.length > 0 && (
            <PrimaryLink icon={Plus} to={availabilityUrl.href(state, { dialog: 'add' })} preventScrollReset>
              New Schedule
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 content-start gap-6">
          <Card
            title={schedule?.name ?? 'Working hours'}
            aside={schedule && <ScheduleButtons schedule={schedule} state={state} />}
          >
            <ScheduleForm key={schedule?.id ?? 'new'} schedule={schedule} ownZone={ownZone} zones={zones} week={week} />
          </Card>
          {schedule && <DateOverrides key={schedule.id} scheduleId={schedule.id} overrides={schedule.overrides} />}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          {schedules.length > 1 && (
            <Card title="Schedules">
              <ul aria-label="Schedules" className="rows border-t border-line-soft">
                {schedules.map(({ id, name, isDefault }) => (
                  <li key={id} className="flex items-center gap-2 px-5 py-2.5">
                    <Link
                      to={availabilityUrl.href(state, { schedule: id })}
                      aria-current={id === schedule?.id || undefined}
                      className={`min-w-0 flex-1 truncate hover:underline ${id === schedule?.id ? 'font-semibold' : ''}`}
                    >
                      {name}
                    </Link>
                    {isDefault && <Badge plain>Default</Badge>}
                  </li>
                ))}
              </ul>
            </Card>
          )}
          <AvailabilityPreview preview={preview} types={types} state={state} />
          <Card title="Appointment Types">
            {types.length ? (
              <ul aria-label="Appointment Types" className="rows border-t border-line-soft">
                {types.map(({ id, name, color, visibility }) => (
                  <li key={id} className="flex items-center gap-2 px-5 py-2.5">
                    <Link to={`/calendar/types/${id}`} className="min-w-0 flex-1 truncate font-medium hover:underline">
                      <TypeDot color={color} className="mr-1.5 align-middle" />
                      {name}
                    </Link>
                    <span className="shrink-0 text-sm text-ink-3">{visibility}</span>
                  </li>
                ))}
              </ul>
            ) : (
              <p className="border-t border-line-soft px-5 py-5 text-ink-3">
                Nothing can be booked yet.{' '}
                <Link to="/settings?dialog=add-type" className="link">
                  Add an appointment type
                </Link>
                .
              </p>
            )}
          </Card>
        </div>
      </div>
      {state.dialog === 'add' && <NewScheduleDialog closeTo={closeTo} />}
      {state.dialog === 'delete' && schedule && (
        <ConfirmDialog
          title="Delete Schedule"
          confirm="Delete Schedule"
          busyLabel="Deleting..."
          closeTo={closeTo}
          fields={{ intent: 'delete', id: String(schedule.id) }}
        >
          Delete {schedule.name}? Appointment types that use it follow the default schedule.
        </ConfirmDialog>
      )}
      {isMissing && <NotFoundDialog label="Schedule" kind="availability_schedule" closeTo={availabilityUrl.href()} />}
    </Page>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function ScheduleButtons({ schedule, state }: { schedule: NonNullable<Loaded['schedule']>; state: Loaded['state'] }) {
  return (
    <div className="flex items-center gap-1">
      {schedule.isDefault ? (
        <Badge plain>Default</Badge>
      ) : (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="make-default" />
          <input type="hidden" name="id" value={schedule.id} />
          <Button type="submit" size="sm" variant="ghost">
            Make Default
          </Button>
        </Form>
      )}
      <ButtonLink
        to={availabilityUrl.href(state, { schedule: schedule.id, dialog: 'delete' })}
        variant="ghost"
        size="sm"
        className="btn-icon"
        aria-label="Delete schedule"
        preventScrollReset
      >
        <Trash2 className="i" />
      </ButtonLink>
    </div>
  )
}
