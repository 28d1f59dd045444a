import { searchKey } from '#db/search-sql.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { joinClient } from '#modules/crm/index.ts'
import { stateLabels } from './states.ts'

const stateSql = `case s.state ${Object.entries(stateLabels)
  .map(([state, label]) => `when '${state}' then '${label}'`)
  .join(' ')} end`

/**
 * The latest subscriptions by product, without those that visitors haven't paid. A coach has hundreds: they need no
 * index.
 */
export const search: SearchProvider[] = [
  {
    type: 'subscription',
    permission: 'stripe:subscription:read',
    query: ({ coachId, term, limit }) => ({
      name: 'stripe.search-subscriptions',
      text: `select s.id, s.product_name as title, concat_ws(', ', c.name, ${stateSql}) as subtitle,
          '/payments/subscriptions?dialog=subscription&subscription=' || s.id as to
        from (select * from stripe_subscription
            where coach_id = $1 and buyer_email is null
              and strpos(search_key(product_name), nullif(${searchKey('$2')}, '')) > 0
            order by created_at desc, id desc limit $3) s
          ${joinClient('s')}
        order by s.created_at desc, s.id desc`,
      values: [coachId, term, limit],
    }),
  },
]
