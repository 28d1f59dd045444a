import type { SearchProvider } from '#modules/define.ts'
import { matches } from './queries/clients.ts'

/** Clients by name or e-mail address, those first whose name begins with the term. */
export const search: SearchProvider[] = [
  {
    type: 'client',
    permission: 'crm:client:read',
    async search(ctx, term, limit) {
      const rows = await ctx.rows<{ id: number; name: string; email: string }>({
        name: 'crm.search',
        text: `select id, name, email from client where deleted_at is null and ${matches('$1')}
          order by archived_at is not null, not starts_with(lower(name), lower($1)), lower(name), id limit $2`,
        values: [term, limit],
      })
      return rows.map(({ id, name, email }) => ({ id, title: name, subtitle: email, to: `/clients/${id}` }))
    },
  },
]
