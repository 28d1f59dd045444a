import { NewAppointment } from '#modules/scheduling/forms.ts'
import { addAppointment } from '#modules/scheduling/services/appointments.ts'
import { addType } from '#modules/scheduling/services/types.ts'
import type { Given } from '#tests/e2e/support/module-screens.ts'
import type { Screen } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** One of today that can be completed, one ahead with the longest texts, and the type of both. */
  interface World {
    session: number
    longSession: number
    sessionType: number
  }
}

export const screens: Screen[] = [
  { name: 'calendar', page: '/calendar', at: '/calendar', as: 'full' },
  { name: 'calendar-empty', page: '/calendar', at: '/calendar', as: 'newcomer' },
  { name: 'calendar-week', page: '/calendar', at: '/calendar?view=week', as: 'full' },
  {
    name: 'calendar-day-of-client',
    page: '/calendar',
    at: ({ client }) => `/calendar?view=day&client=${client}&without=cancelled`,
    as: 'full',
  },
  {
    name: 'appointment-schedule-refused',
    page: '/calendar',
    at: '/calendar?dialog=schedule',
    as: 'full',
    then: (page) =>
      page
        .getByRole('button', { name: 'Schedule', exact: true })
        .click()
        .then(() => page.getByText('Missing Information').waitFor()),
  },
  {
    name: 'appointment',
    page: '/calendar',
    at: ({ longSession }) => `/calendar?dialog=appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-edit',
    page: '/calendar',
    at: ({ longSession }) => `/calendar?dialog=edit-appointment&appointment=${longSession}`,
    as: 'full',
  },
  {
    name: 'appointment-complete',
    page: '/calendar',
    at: ({ session }) => `/calendar?dialog=complete&appointment=${session}`,
    as: 'full',
  },
  { name: 'appointment-gone', page: '/calendar', at: '/calendar?dialog=appointment&appointment=999999999', as: 'full' },
  {
    name: 'appointment-history',
    page: '/history/appointment/:id',
    at: ({ session }) => `/history/appointment/${session}`,
    as: 'full',
  },
  { name: 'appointment-type-add', page: '/settings', at: '/settings?dialog=add-type', as: 'full' },
  {
    name: 'appointment-type-delete',
    page: '/settings',
    at: ({ sessionType }) => `/settings?dialog=delete-type&type=${sessionType}`,
    as: 'full',
  },
  {
    name: 'appointment-type-history',
    page: '/history/appointment_type/:id',
    at: ({ sessionType }) => `/history/appointment_type/${sessionType}`,
    as: 'full',
  },
  {
    name: 'client-schedule',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=schedule`,
    as: 'full',
  },
]

/** A day with more than a cell of the month holds, some of them at the same time. */
export async function world({ coach, client, longClient, long }: Given) {
  const hour = 3_600_000
  return coach.write(async (ctx) => {
    const type = await addType(ctx, { name: 'Coaching' })
    const longType = await addType(ctx, { name: long })
    const add = (title: string, ahead: number, more: object = {}) =>
      addAppointment(
        ctx,
        NewAppointment.parse({
          title,
          clientId: client,
          startTime: new Date(Date.now() + ahead).toISOString(),
          endTime: new Date(Date.now() + ahead + hour).toISOString(),
          appointmentTypeId: type.id,
          ...more,
        }),
      )
    const session = await add('Session 5', -hour / 4, { meetingUrl: 'https://meet.example.com/winter' })
    for (const [nth, status] of (['completed', 'cancelled', 'confirmed', 'scheduled'] as const).entries())
      await add(`Session ${nth + 1}`, (nth - 3) * hour, { status })
    const longest = await add(long, hour / 2, {
      clientId: longClient,
      appointmentTypeId: longType.id,
      description: long.repeat(5),
      meetingUrl: `https://meet.example.com/${long}`,
      status: 'confirmed',
    })
    return { session: session.id, longSession: longest.id, sessionType: type.id }
  })
}
