import { holds, searchKey } from '#db/columns.ts'
import type { SearchProvider } from '#modules/define.ts'
import { onBoard } from './record.ts'

/** Prospects by name or e-mail address, those first whose name begins with the term. */
export const search: SearchProvider[] = [
  {
    type: 'prospect',
    permission: 'pipeline:prospect:read',
    query: (term, limit) => ({
      name: 'pipeline.search',
      text: `select id, name as title, coalesce(company, email) as subtitle, '/pipeline?dialog=edit&prospect=' || id as to from prospect where ${onBoard} and ${holds('$1')}
        order by not starts_with(search_text, ${searchKey('$1')}), search_text, id limit $2`,
      values: [term, limit],
    }),
  },
]
