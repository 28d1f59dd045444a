import { matchesContent, matchesSearch, matchingLine } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { clientIdsByName, joinClient } from '#modules/crm/index.ts'
import { prospectIdsByName } from './prospects.ts'
import { visibleAppointmentsSql } from './records.ts'

/** SQL: the day in the coach's time zone. */
const localDate = (instant: string): string =>
  `to_char(local_time(${instant}, (select timezone from account where id = $1)), 'Mon FMDD, YYYY')`
/** SQL: the texts of an appointment. */
const texts = [
  'a.description',
  'a.session_notes',
  'a.location',
  'a.cancellation_reason',
  `(select string_agg(one ->> 'answer', chr(10)) from jsonb_array_elements(a.answers) one)`,
]
/** SQL: upcoming ones, soonest first, then past ones, latest first. $4: now. */
const orderBySql = 'order by a.end_time < $4, abs(extract(epoch from a.start_time - $4)), a.id desc'

/**
 * Appointments by title and by the name of the client or prospect, then by their texts and their agendas; then imported
 * busy times. People are found by name before any is joined, so one plan suits all coaches. Most have no appointments with
 * prospects: the condition on null saves reading all prospects.
 */
export const search: SearchProvider[] = [
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search',
      text: `select a.id, a.title, coalesce(c.name, p.name) || ', ' || ${localDate('a.start_time')} as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        ${visibleAppointmentsSql} and (${matchesSearch('$2', 'a')}
          or a.client_id in (${clientIdsByName('$2')})
          or a.prospect_id is not null and a.prospect_id in (${prospectIdsByName('$2')}))
        ${orderBySql} limit $3`,
      values: [coachId, term, limit, now],
    }),
  },
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    searchesContent: true,
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search.notes',
      text: `select a.id, a.title, ${matchingLine('$2', texts)} as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        ${visibleAppointmentsSql} and ${matchesContent('appointment', '$2', 'a.id')} ${orderBySql} limit $3`,
      values: [coachId, term, limit, now],
    }),
  },
  {
    type: 'agenda',
    permission: 'scheduling:appointment:read',
    searchesContent: true,
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search.agendas',
      text: `select g.id, a.title, ${matchingLine('$2', ['g.content'])} as subtitle,
          '/calendar/' || a.id || '/prepare' as to
        from session_agenda g join appointment a on a.coach_id = $1 and a.id = g.appointment_id
        ${joinClient('a')}
        where g.coach_id = $1 and ${matchesContent('session_agenda', '$2', 'g.id')}
          and a.client_id is not null and a.deleted_at is null and c.deleted_at is null
        ${orderBySql} limit $3`,
      values: [coachId, term, limit, now],
    }),
  },
  {
    type: 'busy time',
    permission: 'scheduling:appointment:read',
    searchesContent: true,
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search.busy-times',
      text: `select e.id, e.title, ${localDate('e.start_time')} as subtitle, '/calendar/busy/' || e.id as to
        from imported_event e join busy_time b on b.coach_id = $1 and b.imported_event_id = e.id
        where e.coach_id = $1 and ${matchesContent('imported_event', '$2', 'e.id')}
        order by e.end_time < $4, abs(extract(epoch from e.start_time - $4)), e.id desc limit $3`,
      values: [coachId, term, limit, now],
    }),
  },
]
