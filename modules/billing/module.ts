import { assertProduct, sellProduct } from '#modules/crm/index.ts'
import { defineModule } from '../core/manifest.ts'
import { implementHook } from '../core/hooks.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { migrations } from './migrations.ts'
import { getProduct } from './queries/products.ts'
import { revenueQuery } from './queries/purchases.ts'
import { permissions } from './permissions.ts'
import { recordKinds } from './trash.ts'
import { search } from './search.ts'
import { Product, Purchase } from './schema.ts'
import { seed } from './seed.ts'
import { createPendingPurchase } from './services/purchases.ts'

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
    { path: 'purchases/export', file: 'routes/purchases-export.ts', layout: 'resource' },
    { path: 'clients/:id/purchases', file: 'routes/client-purchases.tsx' },
  ],
  nav: [
    {
      label: 'Products',
      to: '/products',
      otherPaths: ['/purchases', '/history/product', '/history/purchase'],
      icon: 'package',
      section: 'main',
      order: 50,
      permission: 'billing:product:read',
    },
  ],
  recordKinds,
  search,
  contributions,
  counts: { monthlyRevenue: revenueQuery },
  seed,
  hooks: [
    implementHook('billing', assertProduct, async (ctx, { productId }) => void (await getProduct(ctx, productId))),
    implementHook('billing', sellProduct, createPendingPurchase),
  ],
})
