import type { RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash } from '#modules/crm/index.ts'
import { goal, program, template } from './records.ts'
import { restoreGoal } from './services/goals.ts'
import { restoreProgram } from './services/programs.ts'
import { restoreTemplate } from './services/templates.ts'

const isProgramHidden = `exists (select 1 from program p
  where p.coach_id = $1 and p.id = r.program_id and p.deleted_at is not null)`

export const recordKinds: RecordKind[] = [
  template.recordKind({
    permission: 'programs:template',
    title: 'r.name',
    to: `'/programs/templates/' || r.id`,
    restore: restoreTemplate,
  }),
  program.recordKind({
    permission: 'programs:program',
    title: `r.name || ', ' || (select c.name from client c where c.coach_id = $1 and c.id = r.client_id)`,
    to: `'/programs/' || r.id`,
    hidden: isClientInTrash('r'),
    restore: restoreProgram,
    eraseNote: 'Its goals and what was ticked are deleted. Tasks and answers stay.',
    fields: {
      template_id: { label: 'Template', of: 'program_template' },
      completed_at: { label: 'Completed', as: 'time' },
    },
  }),
  goal.recordKind({
    permission: 'programs:program',
    title: 'r.title',
    to: `'/programs/' || r.program_id`,
    hidden: `${isClientInTrash('r')} or ${isProgramHidden}`,
    restore: restoreGoal,
    eraseNote: 'Its values are deleted.',
    fields: {
      client_id: { label: 'Client', of: 'client' },
      program_id: { label: 'Program', of: 'program' },
      start_value: 'Start',
      target_value: 'Target',
    },
  }),
]
