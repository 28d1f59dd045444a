import { matchesContent, matchesSearch, matchingLine, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

/** Names that start with the term first, archived clients last. */
const nameOrder = `archived_at is not null, ${matchOrder('$2')}, search_text, id`

/** Last changed first, archived clients last. */
const contentOrder = 'archived_at is not null, updated_at desc, id desc'

const contentColumns = [
  "array_to_string(tags, ', ')",
  'goals',
  'notes',
  'future_goals',
  'frustrations',
  'fears',
  'failures',
]

/** Searches clients by name, email, tags and notes, and interactions by title and content. */
export const search: SearchProvider[] = [
  {
    type: 'client',
    permission: 'crm:client:read',
    query: ({ coachId, term, limit }) => ({
      name: 'crm.search',
      text: `select id, name as title, email as subtitle, '/clients/' || id as to, archived_at is not null as archived
        from client
        where coach_id = $1 and id in (
          select id from client where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')} order by ${nameOrder} limit $3
        ) order by ${nameOrder}`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'client',
    permission: 'crm:client:read',
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'crm.search.notes',
      text: `select id, name as title, ${matchingLine('$2', contentColumns)} as subtitle, '/clients/' || id as to,
          archived_at is not null as archived
        from client where coach_id = $1 and id in (
          select id from client where coach_id = $1 and deleted_at is null and ${matchesContent('client', '$2')}
          order by ${contentOrder} limit $3
        ) order by ${contentOrder}`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'interaction',
    permission: 'crm:client:read',
    searchesContent: true,
    query: ({ coachId, term, limit }) => ({
      name: 'crm.search.interactions',
      text: `select i.id, c.name || ': ' || i.name as title,
          ${matchingLine('$2', ['i.name', 'i.content', 'i.summary'])} as subtitle,
          '/clients/' || c.id || '?dialog=interaction&interaction=' || i.id as to
        from (
            select * from client_interaction
            where coach_id = $1 and deleted_at is null and ${matchesContent('client_interaction', '$2')}
          ) i join client c on c.coach_id = $1 and c.id = i.client_id and c.deleted_at is null
        order by i.interaction_date desc, i.id desc limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
