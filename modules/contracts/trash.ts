import type { ErasePart, RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash } from '#modules/crm/index.ts'
import { contractSources } from './fields.ts'
import { contract, template } from './records.ts'
import { restoreContract } from './services/contracts.ts'
import { restoreTemplate } from './services/templates.ts'

const states = {
  draft: 'Draft',
  open: 'Sent',
  completed: 'Completed',
  declined: 'Declined',
  expired: 'Expired',
  voided: 'Voided',
}

export const recordKinds: RecordKind[] = [
  template.recordKind({
    permission: 'contracts:template',
    title: 'r.name',
    to: `'/contracts/templates/' || r.id`,
    restore: restoreTemplate,
    eraseNote: 'Contracts that were made from it stay.',
  }),
  contract.recordKind({
    permission: 'contracts:contract',
    title: 'r.title',
    to: `'/contracts/' || r.id`,
    hidden: isClientInTrash('r'),
    restore: restoreContract,
    fields: {
      client_id: { label: 'Client', of: 'client' },
      template_id: { label: 'Template', of: 'contract_template' },
      appointment_id: 'Session',
      source: { label: 'Source', valueLabels: contractSources },
      client_name: 'Client’s name',
      client_email: 'Client’s email',
      practice_name: 'Practice',
      state: { label: 'State', valueLabels: states },
      sent_at: { label: 'Sent', as: 'time' },
      expires_at: { label: 'Expires', as: 'time' },
      emailed_at: { label: 'Emailed', as: 'time' },
      reminded_at: { label: 'Reminded', as: 'time' },
      viewed_at: { label: 'Viewed', as: 'time' },
      client_signed_at: { label: 'Signed by client', as: 'time' },
      coach_signed_at: { label: 'Signed by coach', as: 'time' },
      closed_at: { label: 'Ended', as: 'time' },
    },
  }),
]

/** Completed contracts are kept without the reference to their client; all others are erased with the client. */
export const beforeErase: ErasePart[] = [
  {
    kind: 'client',
    run: async (ctx, { id }) => {
      await ctx.query({
        name: 'contracts.erase-of-client',
        text: `delete from contract where coach_id = $1 and client_id = $2 and state <> 'completed'`,
        values: [ctx.coachId, id],
      })
    },
  },
]
