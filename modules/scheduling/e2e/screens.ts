import { NewAppointment, ScheduleInput } from '#modules/scheduling/forms.ts'
import { createAppointment } from '#modules/scheduling/services/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** A session that can be completed, a completed one, one ahead with the longest texts, its type, and a schedule. */
  interface World {
    session: number
    completedSession: number
    longSession: number
    sessionType: number
    schedule: number
  }
}

export const screens: Screen[] = [
  { name: 'calendar', route: '/calendar', path: '/calendar', as: 'full' },
  { name: 'calendar-empty', route: '/calendar', path: '/calendar', as: 'newcomer' },
  { name: 'calendar-week', route: '/calendar', path: '/calendar?view=week', as: 'full' },
  {
    name: 'calendar-day-of-client',
    route: '/calendar',
    path: ({ client }) => `/calendar?view=day&client=${client}&without=cancelled`,
    as: 'full',
  },
  {
    name: 'appointment-schedule-refused',
    route: '/calendar',
    path: '/calendar?dialog=schedule',
    as: 'full',
    setup: (page) =>
      page
        .getByRole('button', { name: 'Schedule', exact: true })
        .click()
        .then(() => page.getByText('Missing Information').waitFor()),
  },
  {
    name: 'appointment',
    route: '/calendar',
    path: ({ longSession }) => `/calendar?dialog=appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-edit',
    route: '/calendar',
    path: ({ longSession }) => `/calendar?dialog=edit-appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-complete',
    route: '/calendar',
    path: ({ session }) => `/calendar?dialog=complete&appointment=${session}`,
    as: 'full',
  },
  {
    name: 'appointment-add-notes',
    route: '/calendar',
    path: ({ completedSession }) => `/calendar?dialog=add-notes&appointment=${completedSession}`,
    as: 'full',
  },
  {
    name: 'appointment-not-found',
    route: '/calendar',
    path: '/calendar?dialog=appointment&appointment=999999999',
    as: 'full',
  },
  {
    name: 'appointment-history',
    route: '/history/appointment/:id',
    path: ({ session }) => `/history/appointment/${session}`,
    as: 'full',
  },
  { name: 'appointment-type-add', route: '/settings', path: '/settings?dialog=add-type', as: 'full' },
  {
    name: 'appointment-type-delete',
    route: '/settings',
    path: ({ sessionType }) => `/settings?dialog=delete-type&type=${sessionType}`,
    as: 'full',
  },
  {
    name: 'appointment-type-history',
    route: '/history/appointment_type/:id',
    path: ({ sessionType }) => `/history/appointment_type/${sessionType}`,
    as: 'full',
  },
  {
    name: 'schedule-history',
    route: '/history/availability_schedule/:id',
    path: ({ schedule }) => `/history/availability_schedule/${schedule}`,
    as: 'full',
  },
  {
    name: 'client-schedule',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=schedule`,
    as: 'full',
  },
]

/** Fills a day with more sessions than a month cell holds, some at the same time. */
export async function world({ full, client, longClient, longText: long }: World): Promise<Partial<World>> {
  const hour = 3_600_000
  return inTenant(full, async (ctx) => {
    const type = await createType(ctx, { name: 'Coaching' })
    const longType = await createType(ctx, { name: long })
    const add = (title: string, ahead: number, more: object = {}) =>
      createAppointment(
        ctx,
        NewAppointment.parse({
          title,
          clientId: client,
          startTime: new Date(ctx.now().getTime() + ahead).toISOString(),
          endTime: new Date(ctx.now().getTime() + ahead + hour).toISOString(),
          appointmentTypeId: type.id,
          ...more,
        }),
      )
    const session = await add('Session 5', -hour / 4, { meetingUrl: 'https://meet.example.com/winter' })
    const completed = await add('Session 1', -3 * hour, { status: 'completed' })
    for (const [nth, status] of (['cancelled', 'confirmed', 'scheduled'] as const).entries())
      await add(`Session ${nth + 2}`, (nth - 2) * hour, { status })
    const longest = await add(long, hour / 2, {
      clientId: longClient,
      appointmentTypeId: longType.id,
      description: long.repeat(5),
      meetingUrl: `https://meet.example.com/${long}`,
      status: 'confirmed',
    })
    const schedule = await createSchedule(
      ctx,
      ScheduleInput.parse({
        name: 'Working hours',
        hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' })),
        overrides: [{ date: '2026-12-24', ranges: [] }],
      }),
    )
    return {
      schedule: schedule.id,
      session: session.id,
      completedSession: completed.id,
      longSession: longest.id,
      sessionType: type.id,
    }
  })
}
