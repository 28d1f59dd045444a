import { productChosen, productWanted } from '#modules/crm/index.ts'
import { defineModule } from '../core/manifest.ts'
import { during } from '../core/events.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { migrations } from './migrations/index.ts'
import { productOf } from './queries/products.ts'
import { revenueQuery } from './queries/purchases.ts'
import { permissions } from './permissions.ts'
import { records } from './trash.ts'
import { search } from './search.ts'
import { Product, Purchase } from './schema.ts'
import { seed } from './seed.ts'
import { recordChosenProduct } from './services/purchases.ts'

export default defineModule({
  id: 'billing',
  dependsOn: ['crm'],
  entities: [Product, Purchase],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'products', file: 'routes/products.tsx' },
    { path: 'test-purchase', file: 'routes/test-purchase.tsx', layout: 'public' },
    { path: 'purchases', file: 'routes/purchases.tsx' },
    { path: 'clients/:id/purchases', file: 'routes/client-purchases.tsx' },
  ],
  nav: [
    {
      label: 'Products',
      to: '/products',
      icon: 'package',
      section: 'main',
      order: 50,
      permission: 'billing:product:read',
    },
  ],
  records,
  search,
  contributions,
  figures: { monthlyRevenue: revenueQuery },
  seed,
  subscribers: [
    during('billing', productWanted, async (ctx, { productId }) => void (await productOf(ctx, productId))),
    during('billing', productChosen, recordChosenProduct),
  ],
})
