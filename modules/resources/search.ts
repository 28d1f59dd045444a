import { matchesSearch, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { joinClient } from '#modules/crm/index.ts'

/** Resources by name. */
export const search: SearchProvider[] = [
  {
    type: 'resource',
    permission: 'resources:resource:read',
    query: ({ coachId, term, limit }) => ({
      name: 'resources.search',
      text: `select r.id, r.name as title, c.name as subtitle, '/resources/' || r.id as to
        from (select * from resource where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}) r
          ${joinClient('r')}
        where c.deleted_at is null
        order by ${matchOrder('$2').replaceAll('search_text', 'r.search_text')}, r.search_text, r.id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
