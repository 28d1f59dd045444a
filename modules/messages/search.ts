import { matchesSearch } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

export const search: SearchProvider[] = [
  {
    type: 'message',
    permission: 'messages:message:read',
    query: ({ coachId, term, limit }) => ({
      name: 'messages.search',
      text: `select m.id, left(m.content, 120) as title, c.name as subtitle, '/messages/' || m.client_id as to
        from (select id, client_id, content from message where coach_id = $1 and ${matchesSearch('$2')}
          order by created_at desc, id desc limit $3) m
        join client c on c.coach_id = $1 and c.id = m.client_id
        where c.deleted_at is null order by m.id desc`,
      values: [coachId, term, limit],
    }),
  },
]
