import { defineEntity, p, type PolicyDef } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks } from '#db/columns.ts'
import { appRole, historyRole, lookupPolicy, lookupRole, tenantPolicy } from '#db/policies.ts'
import { planNames, type PlanName } from '#tenants/accounts/plans.ts'
import { auditActions, type AuditAction, type AuditValues } from './fields.ts'
import { isCoach, isSignedAdministrator } from './policies.ts'

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
    /** The coach; null for what concerns no single one. */
    targetId: p.bigint('number').nullable(),
    targetEmail: p.text().nullable(),
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
    {
      name: 'audit_entry_add_operator',
      command: 'insert',
      roles: [historyRole],
      check: `actor_id is null or action in ('support_started', 'support_ended')`,
    },
  ],
})

/** Administrators read it, and functions of the database write it. */
function writtenBy(role: string, table: string): { rowLevelSecurity: 'force'; policies: PolicyDef[] } {
  return {
    rowLevelSecurity: 'force',
    policies: [
      { name: `${table}_read`, command: 'select', using: '(select is_administrator())' },
      { name: `${table}_write`, roles: [role], using: 'true', check: 'true' },
    ],
  }
}

/** The plan of a coach from a time on, beginning with the sign-up. It outlives the account. */
export const CoachStateChange = defineEntity({
  name: 'CoachStateChange',
  tableName: 'coach_state',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    plan: p.text().$type<PlanName>(),
    isRemoved: p.boolean(),
    since: p.datetime(3),
  },
  indexes: [{ name: 'coach_state_account', properties: ['accountId', 'since', 'id'] }],
  checks: [check('coach_state_plan_allowed', allowedValues('plan', planNames))],
  ...writtenBy(historyRole, 'coach_state'),
})

/** A month (UTC) in which a coach was signed in. */
export const CoachActivity = defineEntity({
  name: 'CoachActivity',
  tableName: 'coach_activity',
  primaryKeys: ['accountId', 'month'],
  properties: { accountId: p.bigint('number').primary(), month: p.date().primary() },
  ...writtenBy(historyRole, 'coach_activity'),
})

/** When a coach added the first client. */
export const CoachActivation = defineEntity({
  name: 'CoachActivation',
  tableName: 'coach_activation',
  properties: { accountId: p.bigint('number').primary().autoincrement(false), activatedAt: p.datetime(3) },
  ...writtenBy(lookupRole, 'coach_activation'),
})

/** A coach's consent that administrators read the practice. It can only end. */
export const SupportGrant = defineEntity({
  name: 'SupportGrant',
  tableName: 'support_grant',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    reason: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** Before its time: by the coach, or because the account was closed. */
    endedAt: p.datetime(3).nullable(),
  },
  checks: [
    ...lengthChecks('support_grant', 255, ['reason']),
    check('support_grant_time', `expires_at > created_at and expires_at <= created_at + '7 days'::interval`),
  ],
  ...lookupPolicy('support_grant'),
})

/** The visit of an administrator, whose row it is, to the practice of `targetId`, in one session. */
export const SupportVisit = defineEntity({
  name: 'SupportVisit',
  tableName: 'support_visit',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    adminEmail: p.text(),
    targetId: p.bigint('number'),
    targetEmail: p.text(),
    supportGrantId: p.bigint('number'),
    sessionHash: p.blob(),
    ipAddress: p.text().nullable(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** In the coach's security log. */
    endRecorded: p.boolean().default(false),
  },
  indexes: [{ name: 'support_visit_target', properties: ['targetId', 'supportGrantId'] }],
  checks: [
    ...lengthChecks('support_visit', 254, ['admin_email', 'target_email']),
    ...lengthChecks('support_visit', 45, ['ip_address']),
  ],
  ...lookupPolicy('support_visit'),
})

/** An announcement of administrators to the coaches of some plans. Belongs to no practice. */
export const Announcement = defineEntity({
  name: 'Announcement',
  tableName: 'announcement',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    title: p.text(),
    body: p.text(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    plans: p.array().$type<PlanName[]>(),
    /** Counts the changes. */
    version: p.integer(),
    createdAt: p.datetime(3),
  },
  checks: [
    ...lengthChecks('announcement', 120, ['title']),
    ...lengthChecks('announcement', 1000, ['body']),
    check('announcement_time', 'ends_at > starts_at'),
    check('announcement_plans_allowed', `plans <@ array['free', 'pro', 'premium'] and plans <> '{}'`),
  ],
  rowLevelSecurity: 'force',
  policies: [
    { name: 'announcement_read', command: 'select', using: isCoach },
    { name: 'announcement_add', command: 'insert', check: isSignedAdministrator },
    { name: 'announcement_change', command: 'update', using: isSignedAdministrator, check: isSignedAdministrator },
    { name: 'announcement_remove', command: 'delete', using: isSignedAdministrator },
  ],
})

/** A coach has closed an announcement. */
export const AnnouncementDismissal = defineEntity({
  name: 'AnnouncementDismissal',
  tableName: 'announcement_dismissal',
  primaryKeys: ['coachId', 'announcementId'],
  properties: {
    coachId: p.bigint('number').primary(),
    announcementId: p.bigint('number').primary(),
    dismissedAt: p.datetime(3),
  },
  ...tenantPolicy('announcement_dismissal'),
})
