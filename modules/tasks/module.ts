import { defineModule } from '../core/manifest.ts'
import { isClientInTrash } from '../crm/index.ts'
import { automationActions } from './automations.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { taskSources } from './fields.ts'
import { taskCreated, taskCompleted } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { programPart } from './program-part.ts'
import { task } from './records.ts'
import { Task } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { planReminders, reminderQueue, sendReminders } from './services/reminders.ts'
import { sessionTasks } from './services/session-tasks.ts'
import { restoreTask } from './services/tasks.ts'

export default defineModule({
  id: 'tasks',
  dependsOn: ['crm'],
  entities: [Task],
  notifications: [
    { kind: 'tasks.due', label: 'Tasks are due', description: 'One email in the morning for all of them.' },
  ],
  publishedEvents: [
    { event: taskCreated, label: 'Task added' },
    { event: taskCompleted, label: 'Task completed' },
  ],
  automationActions,
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/tasks', file: 'routes/portal-tasks.tsx', layout: 'portal' },
    { path: 'tasks', file: 'routes/tasks.tsx' },
    { path: 'tasks/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
  ],
  nav: [
    {
      label: 'Tasks',
      to: '/tasks',
      otherPaths: ['/history/task'],
      icon: 'list-checks',
      section: 'main',
      order: 85,
      permission: 'tasks:task:read',
    },
  ],
  clientRecords: [{ table: 'task', label: ['task', 'tasks'], parents: { appointment_id: 'appointment' } }],
  recordKinds: [
    task.recordKind({
      permission: 'tasks:task',
      title: 'r.title',
      to: `'/tasks?dialog=edit&task=' || r.id`,
      hidden: isClientInTrash('r'),
      fields: {
        done_at: { label: 'Done', as: 'time' },
        source: { label: 'Source', valueLabels: taskSources },
      },
      restore: restoreTask,
    }),
  ],
  search,
  contributions,
  sessionTasks,
  programPart,
  jobs: [
    { name: 'tasks.plan-reminders', every: '3 * * * *', run: planReminders },
    {
      name: reminderQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, { coachId }) => sendReminders(platform, { coachId: Number(coachId) }),
    },
  ],
  seed,
})
