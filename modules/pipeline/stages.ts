/** Fixed names of an account's five initial stages, which the coach may rename and reorder. */
export const stageAliases = ['lead', 'qualified', 'proposal', 'negotiation', 'closed_won'] as const
export type StageAlias = (typeof stageAliases)[number]
export const defaultStageColor = '#3B82F6'
export const maxStages = 1000
