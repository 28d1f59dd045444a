import { holds, searchKey } from '#db/columns.ts'
import type { SearchProvider } from '#modules/define.ts'

/** Whose name begins with the term, then the others; last those put away. */
const bestFirst = `archived_at is not null, not starts_with(search_text, ${searchKey('$1')}), search_text, id`

/** Clients by name or e-mail address. */
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
]
