import { implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { assertMerge } from '../crm/index.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { itemCompleted, programAssigned, programCompleted, goalUpdated } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { Goal, GoalValue, Program, ProgramItem, ProgramMilestone, ProgramTemplate } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { assertNoTwoOfTemplate } from './services/merge.ts'
import { planStarts, startDue, startQueue } from './services/start-items.ts'
import { recordKinds } from './trash.ts'

export default defineModule({
  id: 'programs',
  dependsOn: ['crm'],
  entities: [ProgramTemplate, Program, ProgramMilestone, ProgramItem, Goal, GoalValue],
  publishedEvents: [
    { event: programAssigned, label: 'Program assigned' },
    { event: programCompleted, label: 'Program completed' },
    { event: itemCompleted, label: 'Item of a program completed' },
    { event: goalUpdated, label: 'Goal updated' },
  ],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/program', file: 'routes/portal-program.tsx', layout: 'portal' },
    { path: 'programs', file: 'routes/programs.tsx' },
    { path: 'programs/:id', file: 'routes/program.tsx' },
    { path: 'programs/templates/:id', file: 'routes/template.tsx' },
  ],
  nav: [
    {
      label: 'Programs',
      to: '/programs',
      otherPaths: ['/history/program', '/history/program_template', '/history/goal'],
      icon: 'sparkles',
      section: 'main',
      order: 67,
      permission: 'programs:program:read',
    },
  ],
  clientRecords: [
    { table: 'program', label: ['program', 'programs'] },
    { table: 'program_milestone', parents: { program_id: 'program' } },
    { table: 'program_item', parents: { program_id: 'program' } },
    { table: 'goal', label: ['goal', 'goals'], parents: { program_id: 'program' } },
    { table: 'goal_value', parents: { goal_id: 'goal' } },
  ],
  recordKinds,
  hooks: [implementHook('programs', assertMerge, assertNoTwoOfTemplate)],
  search,
  contributions,
  jobs: [
    { name: 'programs.plan-starts', every: '17 * * * *', run: planStarts },
    { name: startQueue, run: (platform, { coachId }) => startDue(platform, { coachId: Number(coachId) }) },
  ],
  seed,
})
