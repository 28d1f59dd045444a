import { matchesSearch, searchKey } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

/** Entries of the log by client. */
export const search: SearchProvider[] = [
  {
    type: 'hours_entry',
    permission: 'hours:entry:read',
    query: ({ coachId, term, limit }) => ({
      name: 'hours.search',
      text: `select id, client_name as title, 'Coaching hours' as subtitle, '/hours?dialog=edit&entry=' || id as to
        from hours_entry where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
        order by not starts_with(search_text, ${searchKey('$2')}), search_text, id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
