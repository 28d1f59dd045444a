import { matchesContent, matchesSearch, matchingLine } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { clientIdsByName } from '#modules/crm/index.ts'
import { prospectIdsByName } from './prospects.ts'
import { visibleAppointmentsSql } from './records.ts'

/** SQL: the day in the coach's time zone. */
const localDateSql = "to_char(local_time(a.start_time, (select timezone from account where id = $1)), 'Mon FMDD, YYYY')"
/** SQL: upcoming ones, soonest first, then past ones, latest first. $4: now. */
const orderBySql = 'order by a.end_time < $4, abs(extract(epoch from a.start_time - $4)), a.id desc'

/**
 * Appointments by title and by the name of the client or prospect, then by their description and notes.
 * The `is not null` spares the search of prospects for a coach who has none in the calendar.
 */
export const search: SearchProvider[] = [
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    query: ({ coachId, term, limit, now }) => ({
      name: 'scheduling.search',
      text: `select a.id, a.title, coalesce(c.name, p.name) || ', ' || ${localDateSql} as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        ${visibleAppointmentsSql} and (${matchesSearch('$2', 'a')}
          or (a.client_id is not null and a.client_id in (${clientIdsByName('$2')}))
          or (a.prospect_id is not null and a.prospect_id in (${prospectIdsByName('$2')})))
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
      text: `select a.id, a.title, ${matchingLine('$2', ['a.description', 'a.session_notes'])} as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        ${visibleAppointmentsSql} and ${matchesContent('appointment', '$2', 'a.id')} ${orderBySql} limit $3`,
      values: [coachId, term, limit, now],
    }),
  },
]
