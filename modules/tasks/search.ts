import { matchesContent, matchesSearch, matchingLine, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { joinClient } from '#modules/crm/index.ts'

const permission = 'tasks:task:read'
const to = `'/tasks?dialog=edit&task=' || t.id as to`

export const search: SearchProvider[] = [
  {
    type: 'task',
    permission,
    query: ({ coachId, term, limit }) => ({
      name: 'tasks.search',
      text: `select t.id, t.title, c.name as subtitle, ${to}
        from (select * from task where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}) t
          ${joinClient('t')}
        where c.deleted_at is null
        order by t.done_at is not null, ${matchOrder('$2').replaceAll('search_text', 't.search_text')}, t.search_text, t.id
        limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'task',
    permission,
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'tasks.search-notes',
      text: `select t.id, t.title, ${matchingLine('$2', ['t.notes'])} as subtitle, ${to}
        from task t ${joinClient('t')}
        where t.coach_id = $1 and t.deleted_at is null and c.deleted_at is null and ${matchesContent('task', '$2', 't.id')}
        order by t.updated_at desc, t.id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
