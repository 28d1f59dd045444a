import { matchesContent, matchesSearch, matchingLine, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { isVisible, personSql, submissionTables } from './joins.ts'

export const search: SearchProvider[] = [
  {
    type: 'form',
    permission: 'forms:form:read',
    query: ({ coachId, term, limit }) => ({
      name: 'forms.search',
      text: `select id, name as title, null as subtitle, '/forms/' || id as to from form
        where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
        order by ${matchOrder('$2')}, search_text, id limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'answers',
    permission: 'forms:submission:read',
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'forms.search-answers',
      text: `select s.id, ${personSql} || ', ' || v.name as title, ${matchingLine('$2', ['s.content'])} as subtitle,
          '/forms/submissions/' || s.id as to
        from ${submissionTables}
        where s.coach_id = $1 and ${isVisible} and ${matchesContent('form_submission', '$2', 's.id')}
        order by s.submitted_at desc, s.id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
