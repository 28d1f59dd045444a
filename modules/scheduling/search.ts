import { matchesContent, matchesSearch, matchingLine } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { clientIdsByName, clientIdsInTrash, joinClient } from '#modules/crm/index.ts'
import { joinProspect, prospectIdsByName, prospectIdsInTrash } from './prospects.ts'
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

/** SQL: the attendee is among `ids`. Those are read only for a coach with appointments of that kind. */
const isAmong = (attendee: 'client' | 'prospect', ids: string): string =>
  `(a.${attendee}_id is not null and a.${attendee}_id in (${ids}))`

/**
 * Appointments by title and by the name of the client or prospect, then by their texts and their agendas; then imported
 * busy times. Only the people of the appointments found are joined: one plan suits all coaches.
 */
export const search: SearchProvider[] = [
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search',
      text: `select a.id, a.title, coalesce(c.name, p.name) || ', ' || ${localDate('a.start_time')} as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        from (
          select a.id, a.title, a.client_id, a.prospect_id, a.start_time, a.end_time from appointment a
          where a.coach_id = $1 and a.deleted_at is null and (${matchesSearch('$2', 'a')}
              or ${isAmong('client', clientIdsByName('$2'))} or ${isAmong('prospect', prospectIdsByName('$2'))})
            and not ${isAmong('client', clientIdsInTrash)} and not ${isAmong('prospect', prospectIdsInTrash)}
          ${orderBySql} limit $3
        ) a ${joinClient('a')} ${joinProspect('a')}
        ${orderBySql}`,
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
