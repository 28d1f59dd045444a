import { matchesContent, matchesSearch, matchingLine, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { onBoardSql } from './records.ts'

const noteColumns = ['notes', 'future_goals', 'frustrations', 'fears', 'failures']
/** SQL: names that begin with the term first. */
const orderBySql = `${matchOrder('$2')}, search_text, id`

/** Prospects by name or email, then by their notes. */
export const search: SearchProvider[] = [
  {
    type: 'prospect',
    permission: 'pipeline:prospect:read',
    query: ({ coachId, term, limit }) => ({
      name: 'pipeline.search',
      text: `select id, name as title, coalesce(company, email) as subtitle,
          '/pipeline?dialog=edit&prospect=' || id as to
        from prospect
        where coach_id = $1 and id in (
          select id from prospect where coach_id = $1 and ${onBoardSql} and ${matchesSearch('$2')} order by ${orderBySql} limit $3)
        order by ${orderBySql}`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'prospect',
    permission: 'pipeline:prospect:read',
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'pipeline.search.notes',
      text: `select id, name as title, ${matchingLine('$2', noteColumns)} as subtitle,
          '/pipeline?dialog=edit&prospect=' || id as to
        from prospect
        where coach_id = $1 and id in (
          select id from prospect where coach_id = $1 and ${onBoardSql} and ${matchesContent('prospect', '$2')}
          order by updated_at desc, id desc limit $3)
        order by updated_at desc, id desc`,
      values: [coachId, term, limit],
    }),
  },
]
