import { holds, searchKey } from '#db/columns.ts'
import type { SearchProvider } from '#modules/define.ts'

/** Clients by name or e-mail address, those first whose name begins with the term, those put away last. */
export const search: SearchProvider[] = [
  {
    type: 'client',
    permission: 'crm:client:read',
    query: (term, limit) => ({
      name: 'crm.search',
      text: `select id, name as title, email as subtitle, '/clients/' || id as to from client where deleted_at is null and ${holds('$1')}
        order by archived_at is not null, not starts_with(search_text, ${searchKey('$1')}), search_text, id limit $2`,
      values: [term, limit],
    }),
  },
]
