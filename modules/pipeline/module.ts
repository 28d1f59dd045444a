import { defineModule } from '../core/manifest.ts'
import { automationActions, automationTriggers } from './automations.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { metrics } from './metrics.ts'
import { prospectCreated, prospectUpdated, prospectMoved, prospectConverted, prospectDeleted } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { countQuery, findProspectName, listProspectOptions } from './queries/prospects.ts'
import { records } from './trash.ts'
import { PipelineActivity, PipelineStage, Prospect } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed/seed.ts'
import { convertBuyer, findByEmail, findOrCreateProspect, logProspectMessage } from './services/inquiries.ts'
import { lockProspect } from './services/prospects.ts'
import { createDefaultStages } from './services/stages.ts'

export default defineModule({
  id: 'pipeline',
  title: 'Pipeline',
  dependsOn: ['crm', 'billing'],
  entities: [PipelineStage, Prospect, PipelineActivity],
  publishedEvents: [
    { event: prospectCreated, label: 'Prospect added' },
    { event: prospectUpdated, label: 'Prospect changed' },
    { event: prospectMoved, label: 'Prospect moved to another stage' },
    { event: prospectConverted, label: 'Prospect became a client' },
    { event: prospectDeleted, label: 'Prospect deleted' },
  ],
  automationActions,
  automationTriggers,
  migrations,
  permissions,
  routes: [{ path: 'pipeline', file: 'routes/pipeline.tsx' }],
  operations,
  nav: [
    {
      label: 'Pipeline',
      to: '/pipeline',
      otherPaths: ['/history/prospect', '/history/pipeline_stage'],
      icon: 'square-kanban',
      section: 'main',
      order: 30,
      permission: 'pipeline:prospect:read',
    },
  ],
  search,
  clientRecords: [{ table: 'prospect', label: ['prospect', 'prospects'] }],
  recordKinds: records,
  contributions,
  metrics,
  counts: { activeProspects: countQuery },
  newAccount: createDefaultStages,
  seed,
  prospects: {
    permissions: ['pipeline:prospect:read', 'pipeline:prospect:write'],
    list: listProspectOptions,
    findName: findProspectName,
    findByEmail,
    lock: lockProspect,
    findOrCreate: findOrCreateProspect,
    logMessage: logProspectMessage,
    convertBuyer,
    toHref: (id) => `/pipeline?dialog=edit&prospect=${id}`,
    addHref: '/pipeline?dialog=add',
  },
})
