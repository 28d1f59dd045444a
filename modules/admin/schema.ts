import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, lengthChecks } from '#db/columns.ts'
import { appRole, historyRole } from '#db/policies.ts'
import { auditActions, type AuditAction, type AuditValues } from './fields.ts'

/**
 * An action of an administrator, or of the operator, who has no account. It belongs to the platform, so it outlives the
 * accounts. Nobody changes or deletes it.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    actorId: p.bigint('number').nullable(),
    actorEmail: p.text().nullable(),
    action: p.text().$type<AuditAction>(),
    targetId: p.bigint('number'),
    targetEmail: p.text(),
    before: p.json().$type<AuditValues>().nullable(),
    after: p.json().$type<AuditValues>().nullable(),
    ipAddress: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  checks: [
    check('audit_entry_action_allowed', allowedValues('action', auditActions)),
    ...lengthChecks('audit_entry', 254, ['actor_email', 'target_email']),
    ...lengthChecks('audit_entry', 45, ['ip_address']),
  ],
  rowLevelSecurity: 'force',
  policies: [
    { name: 'audit_entry_read', command: 'select', using: 'is_administrator()' },
    {
      name: 'audit_entry_add',
      command: 'insert',
      roles: [appRole],
      check: `is_administrator() and actor_id = nullif(current_setting('app.coach_id', true), '')::bigint
        and actor_id = get_actor(actor_id)`,
    },
    { name: 'audit_entry_add_operator', command: 'insert', roles: [historyRole], check: 'actor_id is null' },
  ],
})
