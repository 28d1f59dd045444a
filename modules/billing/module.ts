import { productChosen } from '#modules/crm/index.ts'
import { defineModule } from '../define.ts'
import { during } from '../events.ts'
import { operations } from './api.ts'
import { sales } from './migrations/0001-sales.ts'
import { permissions } from './permissions.ts'
import { Product, Purchase } from './schema.ts'
import { recordChosenProduct } from './services/purchases.ts'

export default defineModule({
  id: 'billing',
  dependsOn: ['crm'],
  entities: [Product, Purchase],
  migrations: [sales],
  permissions,
  operations,
  subscribers: [during('billing', productChosen, recordChosenProduct)],
})
