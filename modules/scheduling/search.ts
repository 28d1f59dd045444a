import { holds, lineThatHolds, wordsHold } from '#db/columns.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { clientsNamed } from '#modules/crm/index.ts'
import { prospectsNamed } from '#modules/pipeline/index.ts'
import { shownSql } from './output.ts'

/** SQL: what is still to come, the soonest first; then what is over, the latest first. $3: now. */
const nextFirst = 'order by a.end_time < $3, abs(extract(epoch from a.start_time - $3)), a.id desc'

/**
 * Appointments by title, and by the name of whom they are with, with their day on the coach's calendar; by their description and what was
 * noted of them; the next ones first.
 * `is not null`: the names of prospects aren't looked through for one who has appointments with clients alone.
 */
export const search: SearchProvider[] = [
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    query: (term, limit, now) => ({
      name: 'scheduling.search',
      text: `select a.id, a.title, coalesce(c.name, p.name) || ', ' || to_char(a.start_time at time zone (select timezone from account where id = a.coach_id), 'Mon FMDD, YYYY') as subtitle,
          '/calendar?dialog=appointment&appointment=' || a.id as to
        ${shownSql} and (${holds('$1', 'a')} or (a.client_id is not null and a.client_id in (${clientsNamed('$1')}))
          or (a.prospect_id is not null and a.prospect_id in (${prospectsNamed('$1')})))
        ${nextFirst} limit $2`,
      values: [term, limit, now],
    }),
  },
  {
    type: 'appointment',
    permission: 'scheduling:appointment:read',
    inWords: true,
    query: (term, limit, now) => ({
      name: 'scheduling.search.notes',
      text: `select a.id, a.title, ${lineThatHolds('$1', ['a.description', 'a.session_notes'])} as subtitle, '/calendar?dialog=appointment&appointment=' || a.id as to
        ${shownSql} and ${wordsHold('appointment', '$1', 'a.id')} ${nextFirst} limit $2`,
      values: [term, limit, now],
    }),
  },
]
