import { fourFFields, personFields } from '#modules/crm/index.ts'
import type { RecordKind } from '#modules/core/manifest.ts'
import { restoreProspect } from './services/prospects.ts'
import { restoreStage } from './services/stages.ts'

export const records: RecordKind[] = [
  {
    kind: 'pipeline_stage',
    label: 'Stage',
    permission: { read: 'pipeline:stage:read', write: 'pipeline:stage:write' },
    title: 'r.name',
    to: `'/pipeline'`,
    fields: { name: 'Name', color: 'Color', position: 'Order' },
    restore: restoreStage,
  },
  {
    kind: 'prospect',
    label: 'Prospect',
    permission: { read: 'pipeline:prospect:read', write: 'pipeline:prospect:write' },
    title: 'r.name',
    to: `case when r.client_id is null
      then '/pipeline?dialog=edit&prospect=' || r.id else '/clients/' || r.client_id end`,
    fields: {
      ...personFields,
      company: 'Company',
      title: 'Title',
      stage_id: { label: 'Stage', of: 'pipeline_stage' },
      value: { label: 'Value', as: 'cents' },
      probability: 'Probability',
      source: 'Source',
      notes: { label: 'Notes', as: 'markup' },
      ...fourFFields,
      product_id: { label: 'Product', of: 'product' },
      next_follow_up: { label: 'Next follow-up', as: 'time' },
      client_id: { label: 'Client', of: 'client' },
    },
    restore: restoreProspect,
  },
]
