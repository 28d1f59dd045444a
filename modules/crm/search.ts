import { holds, lineThatHolds, searchKey, wordsHold } from '#db/columns.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

/** Whose name begins with the term, then the others; last those put away. */
const bestFirst = `archived_at is not null, not starts_with(search_text, ${searchKey('$1')}), search_text, id`

/** Whose words changed last; then those put away. */
const lastChanged = 'archived_at is not null, updated_at desc, id desc'

/** Clients by name or e-mail address, and by what is noted of them; contacts by what they are called and say. */
export const search: SearchProvider[] = [
  {
    type: 'client',
    permission: 'crm:client:read',
    query: (term, limit) => ({
      name: 'crm.search',
      text: `select id, name as title, email as subtitle, '/clients/' || id as to from client
        where id in (select id from client where deleted_at is null and ${holds('$1')} order by ${bestFirst} limit $2) order by ${bestFirst}`,
      values: [term, limit],
    }),
  },
  {
    type: 'client',
    permission: 'crm:client:read',
    inWords: true,
    query: (term, limit) => ({
      name: 'crm.search.notes',
      text: `select id, name as title, ${lineThatHolds('$1', ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures'])} as subtitle, '/clients/' || id as to from client
        where id in (select id from client where deleted_at is null and ${wordsHold('client', '$1')} order by ${lastChanged} limit $2) order by ${lastChanged}`,
      values: [term, limit],
    }),
  },
  {
    type: 'interaction',
    permission: 'crm:client:read',
    inWords: true,
    query: (term, limit) => ({
      name: 'crm.search.interactions',
      text: `select i.id, c.name || ': ' || i.name as title, ${lineThatHolds('$1', ['i.name', 'i.content', 'i.summary'])} as subtitle,
          '/clients/' || c.id || '?dialog=interaction&interaction=' || i.id as to
        from (select * from client_interaction where deleted_at is null and ${wordsHold('client_interaction', '$1')}) i
          join client c on c.coach_id = i.coach_id and c.id = i.client_id and c.deleted_at is null
        order by i.interaction_date desc, i.id desc limit $2`,
      values: [term, limit],
    }),
  },
]
