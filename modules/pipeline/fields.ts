import type { Fields } from '#app/lib/fields.ts'

export const stageFields = {
  name: { kind: 'line', label: 'Name', required: 'Stage name is required' },
  color: { kind: 'line', label: 'Color', required: 'Color is required' },
} as const satisfies Fields

/** To add a field: here, in `schema.ts`, `migrations.ts` and `components/prospect-fields.tsx`. */
export const prospectFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  email: { kind: 'email', label: 'Email', optional: true },
  phone: { kind: 'line', label: 'Phone', optional: true },
  location: { kind: 'line', label: 'Location', optional: true },
  profession: { kind: 'line', label: 'Profession', optional: true },
  timezone: { kind: 'timezone', label: 'Time zone', optional: true },
  company: { kind: 'line', label: 'Company', optional: true },
  title: { kind: 'line', label: 'Title', optional: true },
  stageId: { kind: 'reference', label: 'Stage', to: 'pipeline_stage', required: 'Choose a stage' },
  value: { kind: 'cents', label: 'Value' },
  probability: { kind: 'percent', label: 'Probability', default: 0 },
  source: { kind: 'line', label: 'Source', optional: true },
  notes: { kind: 'markup', label: 'Notes', optional: true },
  futureGoals: { kind: 'markup', label: 'Future goals', optional: true },
  frustrations: { kind: 'markup', label: 'Frustrations', optional: true },
  fears: { kind: 'markup', label: 'Fears', optional: true },
  failures: { kind: 'markup', label: 'Past failures', optional: true },
  productId: { kind: 'reference', label: 'Product', to: 'product', required: 'Choose a product', optional: true },
  nextFollowUp: { kind: 'instant', label: 'Next follow-up', optional: true },
} as const satisfies Fields

export type ProspectField = keyof typeof prospectFields
export const prospectFieldNames = Object.keys(prospectFields) as ProspectField[]
