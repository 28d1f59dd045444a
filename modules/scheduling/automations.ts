import { clientFilters, joinClient } from '#modules/crm/index.ts'
import { onEvent, type AutomationFilter, type AutomationTrigger } from '../core/automations.ts'
import { appointmentCreated, sessionCompleted } from './events.ts'
import { isSessionVisible } from './joins.ts'
import { joinProspect } from './prospects.ts'
import { listAppointmentTypes } from './queries/types.ts'

const typeFilter: AutomationFilter = {
  name: 'type',
  label: 'The appointment type is',
  values: `array_remove(array[a.appointment_type_id::text], null)`,
  options: async (ctx) =>
    (await listAppointmentTypes(ctx, { rows: 500 })).map(({ id, name }) => ({ value: String(id), label: name })),
}

const sessions: Pick<AutomationTrigger, 'permission' | 'people' | 'filters' | 'placeholders'> = {
  permission: 'scheduling:appointment:read',
  people: ['client', 'prospect'],
  filters: [typeFilter, ...clientFilters],
  placeholders: {
    'session title': { label: 'The title of the session', sql: 'a.title' },
    'session time': {
      label: 'When it begins, in their time zone',
      sql: 'a.start_time',
      as: 'time',
    },
    'session place': { label: 'The link, phone number or address', sql: 'coalesce(a.meeting_url, a.location)' },
  },
}

const rows = (condition: string, at: string) => ({
  from: `from appointment a ${joinClient('a')} ${joinProspect('a')}
    where a.coach_id = $1 and a.deleted_at is null and ${isSessionVisible} and ${condition}`,
  key: 'a.id::text',
  at,
  title: 'a.title',
  to: `'/calendar?dialog=appointment&appointment=' || a.id`,
  clientId: 'a.client_id',
  prospectId: 'a.prospect_id',
  name: 'coalesce(c.name, p.name)',
  email: 'coalesce(c.email, p.email)',
  timezone: 'coalesce(c.timezone, p.timezone)',
})

/** The first one stands for all sessions of a series. */
const isFirstOfSeries = `(a.series_id is null or not exists (
  select 1 from appointment o where o.coach_id = $1 and o.series_id = a.series_id and o.id < a.id))`

const bySession = ({ appointmentId }: { appointmentId: number }) => ({ where: 'a.id = $2', values: [appointmentId] })

export const automationTriggers: AutomationTrigger[] = [
  {
    ...sessions,
    name: 'scheduling.session-booked',
    label: 'a session is booked',
    order: 10,
    on: onEvent(appointmentCreated, bySession),
    rows: () => ({
      ...rows(`a.created_at <= a.start_time and ${isFirstOfSeries}`, 'a.created_at'),
      stillTrue: `a.status <> 'cancelled'`,
    }),
  },
  {
    ...sessions,
    name: 'scheduling.session-completed',
    label: 'a session is completed',
    order: 20,
    on: onEvent(sessionCompleted, bySession),
    rows: () => rows('a.completed_at is not null', 'a.completed_at'),
  },
]
