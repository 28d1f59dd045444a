import type { RecordKind } from '#modules/core/manifest.ts'
import { prospect, stage } from './records.ts'
import { restoreProspect } from './services/prospects.ts'
import { restoreStage } from './services/stages.ts'

export const records: RecordKind[] = [
  stage.recordKind({
    permission: 'pipeline:stage',
    title: 'r.name',
    to: `'/pipeline'`,
    fields: { position: 'Order' },
    restore: restoreStage,
  }),
  prospect.recordKind({
    permission: 'pipeline:prospect',
    isPerson: true,
    title: 'r.name',
    to: `case when r.client_id is null
      then '/pipeline?dialog=edit&prospect=' || r.id else '/clients/' || r.client_id end`,
    fields: { client_id: { label: 'Client', of: 'client' } },
    restore: restoreProspect,
  }),
]
