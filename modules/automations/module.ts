import { reassignClient, reassignProspect } from '#modules/crm/index.ts'
import { implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { automation } from './records.ts'
import { Automation, AutomationEmail, AutomationRun } from './schema.ts'
import { seed } from './seed.ts'
import { restoreAutomation } from './services/automations.ts'
import { deleteOldRuns, watchClock } from './services/clock.ts'
import { automationActions, sendRunEmail } from './services/email.ts'
import { queues } from './services/queues.ts'
import { recordRuns } from './services/record.ts'
import { executeRun } from './services/run.ts'
import { beforeErase, reassignToClient, reassignToProspect } from './services/runs.ts'

export default defineModule({
  id: 'automations',
  dependsOn: ['crm'],
  entities: [Automation, AutomationRun, AutomationEmail],
  automationActions,
  migrations,
  operations,
  permissions,
  routes: [
    { path: 'automations', file: 'routes/automations.tsx' },
    { path: 'automations/:id', file: 'routes/automation.tsx' },
  ],
  nav: [
    {
      label: 'Automations',
      to: '/automations',
      otherPaths: ['/history/automation'],
      icon: 'zap',
      section: 'main',
      order: 87,
      permission: 'automations:automation:read',
    },
  ],
  clientRecords: [{ table: 'automation_run', column: 'person_id', where: `person_kind = 'client'` }],
  recordKinds: [
    automation.recordKind({
      permission: 'automations:automation',
      title: 'r.name',
      to: `'/automations/' || r.id`,
      restore: restoreAutomation,
      eraseNote: 'Its log is deleted, too.',
      fields: {
        trigger: 'When',
        days: 'Days',
        only_if: 'Only if',
        steps: 'Then',
        enabled_at: { label: 'Switched on', as: 'time' },
      },
    }),
  ],
  seed,
  practiceExport: {
    tables: {
      automation: {
        partly: 'automations arrive switched off, so that two installations don’t do the same',
        values: { enabled_at: 'null' },
      },
      automation_run: { partly: 'runs that have not finished', where: `r.state <> 'waiting'` },
      automation_email: {
        partly: 'emails that wait',
        where: `r.state in ('sent', 'failed') and exists (
          select 1 from automation_run u where u.coach_id = $1 and u.id = r.run_id and u.state <> 'waiting')`,
      },
    },
  },
  recordEvents: recordRuns,
  beforeErase,
  hooks: [
    implementHook('automations', reassignProspect, reassignToClient),
    implementHook('automations', reassignClient, reassignToProspect),
  ],
  jobs: [
    {
      name: queues.run,
      concurrency: 4,
      run: (platform, { coachId, runId }) => executeRun(platform, { coachId: Number(coachId), runId: Number(runId) }),
    },
    {
      name: queues.email,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, { coachId, emailId }) =>
        sendRunEmail(platform, { coachId: Number(coachId), emailId: Number(emailId) }),
    },
    { name: 'automations.watch-clock', every: '7 * * * *', run: watchClock },
    { name: 'automations.delete-old', every: '41 4 * * *', keepsData: true, run: deleteOldRuns },
  ],
})
