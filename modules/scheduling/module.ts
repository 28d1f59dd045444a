import { prospectConverted } from '#modules/pipeline/index.ts'
import { defineModule } from '../core/manifest.ts'
import { during } from '../core/events.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { appointments } from './migrations/0001-appointments.ts'
import { words } from './migrations/0002-words.ts'
import { sessionsQuery } from './queries/appointments.ts'
import { permissions } from './permissions.ts'
import { records } from './trash.ts'
import { Appointment, AppointmentType } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { moveToClient } from './services/appointments.ts'

export default defineModule({
  id: 'scheduling',
  dependsOn: ['crm', 'pipeline'],
  entities: [AppointmentType, Appointment],
  migrations: [appointments, words],
  permissions,
  operations,
  routes: [{ path: 'calendar', file: 'routes/calendar.tsx' }],
  nav: [
    {
      label: 'Calendar',
      to: '/calendar',
      icon: 'calendar',
      section: 'main',
      order: 40,
      permission: 'scheduling:appointment:read',
    },
  ],
  search,
  contributions,
  records,
  figures: { sessionsThisMonth: sessionsQuery },
  seed,
  subscribers: [during('scheduling', prospectConverted, moveToClient)],
})
