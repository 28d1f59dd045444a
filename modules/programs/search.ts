import { matchesSearch, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { isVisible, programTables } from './joins.ts'

export const search: SearchProvider[] = [
  {
    type: 'program',
    permission: 'programs:program:read',
    query: ({ coachId, term, limit }) => ({
      name: 'programs.search',
      text: `select p.id, p.name as title, c.name as subtitle, '/programs/' || p.id as to, p.completed_at is not null as archived
        from ${programTables} where p.coach_id = $1 and ${isVisible} and ${matchesSearch('$2', 'p')}
        order by p.completed_at is not null, ${matchOrder('$2').replaceAll('search_text', 'p.search_text')},
          p.search_text, p.id limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'template',
    permission: 'programs:template:read',
    query: ({ coachId, term, limit }) => ({
      name: 'programs.search-templates',
      text: `select id, name as title, null as subtitle, '/programs/templates/' || id as to from program_template
        where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
        order by ${matchOrder('$2')}, search_text, id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
