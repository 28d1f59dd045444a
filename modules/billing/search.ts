import { matchesSearch, matchOrder } from '#db/search-sql.ts'
import { moneySql } from './money-sql.ts'
import { joinClient } from '#modules/crm/index.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'

/**
 * Products by name, the latest purchases by product and notes, the latest invoices by number, client and description.
 */
export const search: SearchProvider[] = [
  {
    type: 'product',
    permission: 'billing:product:read',
    query: ({ coachId, term, limit }) => ({
      name: 'billing.search-products',
      text: `select id, name as title, ${moneySql('price * 100')} as subtitle, '/products?dialog=edit&product=' || id as to
        from product where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
        order by ${matchOrder('$2')}, search_text, id limit $3`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'purchase',
    permission: 'billing:purchase:read',
    query: ({ coachId, term, limit }) => ({
      name: 'billing.search-purchases',
      text: `select p.id, p.product_name as title, concat_ws(', ', c.name, ${moneySql('p.amount')},
            to_char(local_time(p.purchased_at, (select timezone from account where id = $1)),
              'Mon FMDD, YYYY')) as subtitle,
          '/purchases?dialog=edit-purchase&purchase=' || p.id as to
        from (select * from purchase where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
            order by purchased_at desc, id desc limit $3) p
          ${joinClient('p')}
        order by p.purchased_at desc, p.id desc`,
      values: [coachId, term, limit],
    }),
  },
  {
    type: 'invoice',
    permission: 'billing:invoice:read',
    query: ({ coachId, term, limit }) => ({
      name: 'billing.search-invoices',
      text: `select i.id, concat_ws(', ', coalesce(i.number, 'Draft'), coalesce(i.bill_to_name, c.name)) as title,
          i.description as subtitle, '/payments?dialog=invoice&invoice=' || i.id as to
        from (select * from invoice where coach_id = $1 and deleted_at is null and ${matchesSearch('$2')}
            order by created_at desc, id desc limit $3) i
          ${joinClient('i')}
        order by i.created_at desc, i.id desc`,
      values: [coachId, term, limit],
    }),
  },
]
