import { inTenant, type For } from '#tests/support/factories.ts'
import { NewProspect, NewStage } from '../forms.ts'
import type { ProspectRecord } from '../records.ts'
import * as prospects from '../services/prospects.ts'
import * as stages from '../services/stages.ts'

export function createStage({ coach, ...fields }: For<typeof NewStage>): Promise<{ id: number }> {
  return inTenant(coach, (ctx) => stages.createStage(ctx, NewStage.parse({ name: 'Waiting', ...fields })))
}

export function createProspect({ coach, ...fields }: For<typeof NewProspect>): Promise<ProspectRecord> {
  const input = { name: 'Leila Haddad', email: 'leila@example.com', stageId: 'lead', ...fields }
  return inTenant(coach, (ctx) => prospects.createProspect(ctx, NewProspect.parse(input)))
}
