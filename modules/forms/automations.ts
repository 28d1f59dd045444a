import { clientFilters } from '#modules/crm/index.ts'
import { onEvent, type AutomationTrigger } from '../core/automations.ts'
import { formSubmitted } from './events.ts'
import { isVisible, personSql, submissionTables } from './joins.ts'
import { listFormOptions } from './queries/form.ts'

export const automationTriggers: AutomationTrigger[] = [
  {
    name: 'forms.form-answered',
    label: 'a form is answered',
    order: 60,
    permission: 'forms:submission:read',
    people: ['client', 'prospect'],
    on: onEvent(formSubmitted, ({ submissionId }) => ({ where: 's.id = $2', values: [submissionId] })),
    filters: [
      {
        name: 'form',
        label: 'The form is',
        values: 'array[f.id::text]',
        options: async (ctx) =>
          (await listFormOptions(ctx)).map(({ id, name }) => ({ value: String(id), label: name })),
      },
      ...clientFilters,
    ],
    placeholders: { form: { label: 'The name of the form', sql: 'coalesce(v.name, f.name)' } },
    rows: () => ({
      from: `from ${submissionTables}
        where s.coach_id = $1 and s.submitted_at is not null and ${isVisible}`,
      key: 's.id::text',
      at: 's.submitted_at',
      title: 'coalesce(v.name, f.name)',
      to: `'/forms/submissions/' || s.id`,
      clientId: 's.client_id',
      prospectId: 's.prospect_id',
      name: personSql,
      email: 'coalesce(c.email, p.email)',
      timezone: 'coalesce(c.timezone, p.timezone)',
    }),
  },
]
