import { matchesContent, matchesSearch, matchingLine, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

/** Names that start with the term first, archived clients last. */
const nameOrder = `archived_at is not null, ${matchOrder('$1')}, search_text, id`

/** Last changed first, archived clients last. */
const contentOrder = 'archived_at is not null, updated_at desc, id desc'

const contentColumns = ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures']

/** Searches clients by name, email and notes, and interactions by title and content. */
export const search: SearchProvider[] = [
  {
    type: 'client',
    permission: 'crm:client:read',
    query: ({ term, limit }) => ({
      name: 'crm.search',
      text: `select id, name as title, email as subtitle, '/clients/' || id as to, archived_at is not null as archived
        from client
        where id in (
          select id from client where deleted_at is null and ${matchesSearch('$1')} order by ${nameOrder} limit $2
        ) order by ${nameOrder}`,
      values: [term, limit],
    }),
  },
  {
    type: 'client',
    permission: 'crm:client:read',
    searchesContent: true,
    query: ({ term, limit }) => ({
      name: 'crm.search.notes',
      text: `select id, name as title, ${matchingLine('$1', contentColumns)} as subtitle, '/clients/' || id as to,
          archived_at is not null as archived
        from client where id in (
          select id from client where deleted_at is null and ${matchesContent('client', '$1')}
          order by ${contentOrder} limit $2
        ) order by ${contentOrder}`,
      values: [term, limit],
    }),
  },
  {
    type: 'interaction',
    permission: 'crm:client:read',
    searchesContent: true,
    query: ({ term, limit }) => ({
      name: 'crm.search.interactions',
      text: `select i.id, c.name || ': ' || i.name as title,
          ${matchingLine('$1', ['i.name', 'i.content', 'i.summary'])} as subtitle,
          '/clients/' || c.id || '?dialog=interaction&interaction=' || i.id as to
        from (
            select * from client_interaction
            where deleted_at is null and ${matchesContent('client_interaction', '$1')}
          ) i join client c on c.coach_id = i.coach_id and c.id = i.client_id and c.deleted_at is null
        order by i.interaction_date desc, i.id desc limit $2`,
      values: [term, limit],
    }),
  },
]
