import { matchesSearch, matchOrder } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { isClientInTrash } from '#modules/crm/index.ts'

export const search: SearchProvider[] = [
  {
    type: 'contract',
    permission: 'contracts:contract:read',
    query: ({ coachId, term, limit }) => ({
      name: 'contracts.search',
      text: `select r.id, r.title, r.client_name as subtitle, '/contracts/' || r.id as to from contract r
        where r.coach_id = $1 and r.deleted_at is null and not ${isClientInTrash('r')}
          and ${matchesSearch('$2')}
        order by ${matchOrder('$2')}, r.search_text, r.id limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'contract template',
    permission: 'contracts:template:read',
    query: ({ coachId, term, limit }) => ({
      name: 'contracts.search-templates',
      text: `select id, name as title, null as subtitle, '/contracts/templates/' || id as to from contract_template
        where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
        order by ${matchOrder('$2')}, search_text, id limit $3`,
      values: [coachId, term, limit],
    }),
  },
]
