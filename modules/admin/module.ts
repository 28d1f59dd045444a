import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import {
  Announcement,
  AnnouncementDismissal,
  AuditEntry,
  CoachActivation,
  CoachActivity,
  CoachStateChange,
  SupportGrant,
  SupportVisit,
} from './schema.ts'
import { seed } from './seed.ts'
import { recordActivations } from './services/activations.ts'
import { endSupportQueue, endSupportVisits, supportAccess, type EndSupportJob } from './services/support-visits.ts'

export default defineModule({
  id: 'admin',
  isSwitchable: false,
  dependsOn: ['crm'],
  entities: [
    AuditEntry,
    CoachStateChange,
    CoachActivity,
    CoachActivation,
    SupportGrant,
    SupportVisit,
    Announcement,
    AnnouncementDismissal,
  ],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'admin', file: 'routes/admin.tsx' },
    { path: 'admin/subscriptions', file: 'routes/subscriptions.tsx' },
    { path: 'admin/analytics', file: 'routes/analytics.tsx' },
    { path: 'admin/audit-log', file: 'routes/audit-log.tsx' },
    { path: 'admin/jobs', file: 'routes/jobs.tsx' },
    { path: 'admin/modules', file: 'routes/modules.tsx' },
    { path: 'admin/modules/:coach', file: 'routes/coach-modules.tsx' },
    { path: 'admin/announcements', file: 'routes/announcements.tsx' },
    { path: 'announcements/dismiss', file: 'routes/dismiss-announcement.ts', layout: 'resource' },
    { path: 'settings/support-access', file: 'routes/support-access.tsx', isPrivate: true },
    { path: 'admin/support', file: 'routes/open-support.ts', layout: 'resource' },
    { path: 'admin/support/leave', file: 'routes/leave-support.ts', layout: 'resource' },
  ],
  contributions,
  supportAccess,
  jobs: [
    { name: 'admin.record-activations', every: '37 * * * *', run: recordActivations },
    { name: endSupportQueue, run: (platform, data) => endSupportVisits(platform, data as EndSupportJob) },
  ],
  practiceExport: {
    tables: {
      announcement_dismissal: { leftOut: 'it is about what this platform announced' },
      support_grant: { onlyToRead: 'it let support in here' },
      support_visit: { leftOut: 'it lets an administrator into another practice' },
    },
  },
  seed,
})
