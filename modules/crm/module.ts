import { defineModule } from '../define.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { migrations } from './migrations/index.ts'
import { permissions } from './permissions.ts'
import { countClients } from './queries/figures.ts'
import { Activity, Client, ClientImport } from './schema.ts'
import { search } from './search.ts'

export default defineModule({
  id: 'crm',
  title: 'Clients',
  entities: [Client, Activity, ClientImport],
  migrations,
  permissions,
  operations,
  nav: [{ label: 'Clients', to: '/clients', icon: 'users', section: 'main', order: 20, permission: 'crm:client:read', badge: countClients }],
  search,
  contributions,
  jobs,
})
