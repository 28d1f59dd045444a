import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { entry } from './records.ts'
import { HoursCounting, HoursEntry } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { restoreEntry } from './services/entries.ts'

export default defineModule({
  id: 'hours',
  title: 'Coaching hours',
  dependsOn: ['crm', 'scheduling'],
  entities: [HoursEntry, HoursCounting],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'hours', file: 'routes/hours.tsx' },
    { path: 'hours/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
  ],
  nav: [
    {
      label: 'Coaching Hours',
      to: '/hours',
      otherPaths: ['/history/hours_entry'],
      icon: 'clipboard-list',
      section: 'main',
      order: 90,
      permission: 'hours:entry:read',
    },
  ],
  // The choice of the client who is kept counts, if there is one.
  clientRecords: [{ table: 'hours_counting', onMerge: 'keep-one' }],
  recordKinds: [
    entry.recordKind({
      permission: 'hours:entry',
      title: 'r.client_name',
      to: `'/hours?dialog=edit&entry=' || r.id`,
      restore: restoreEntry,
    }),
  ],
  search,
  seed,
})
