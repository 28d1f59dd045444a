import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { emailStates, runStates, type ActionResult, type EmailState, type RunState } from './fields.ts'
import type { StoredAction, StoredFilters } from './fields.ts'

/** When something happens, then do something. */
export const Automation = defineEntity({
  name: 'Automation',
  tableName: 'automation',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    trigger: p.text(),
    /** The number of days of a trigger that has one. */
    days: p.integer().nullable(),
    filters: p.json().$type<StoredFilters>().defaultRaw(`'{}'`),
    actions: p.json().$type<StoredAction[]>().default([]),
    /** The filters and actions as text, for the history. */
    onlyIf: p.text().default(''),
    steps: p.text().default(''),
    /** Null: switched off. What happened before is left alone. */
    enabledAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('automation_enabled', '(coach_id, trigger) where enabled_at is not null and deleted_at is null')],
  checks: [
    check('automation_name_length', `name <> '' and ${maxLength('name', 120)}`),
    ...lengthChecks('automation', 100, ['trigger']),
    ...lengthChecks('automation', 20_000, ['only_if', 'steps']),
    check('automation_days_range', 'days >= 1 and days <= 3650'),
    check('automation_actions_count', `jsonb_typeof(actions) = 'array' and jsonb_array_length(actions) <= 10`),
    check('automation_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('automation'),
})
export type AutomationRow = InferEntity<typeof Automation>

/** An automation that began because of one event. The log for the coach. */
export const AutomationRun = defineEntity({
  name: 'AutomationRun',
  tableName: 'automation_run',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    automation: () => tenantReference(Automation, 'automation_id', 'cascade'),
    /** The automation's when the run was added: the payload is of its event. */
    trigger: p.text(),
    /** Names the event: an automation runs once for each. */
    eventKey: p.text(),
    /** The payload of the event, with ids alone, or the key of what the clock found. */
    payload: p.json(),
    /** The automations that led to this one, the first one first. */
    chain: p.array<number>(Number).columnType('bigint[]').default([]),
    state: p.text().$type<RunState>().default('waiting'),
    /** Why it was skipped or stopped, or which failure is tried again. */
    problem: p.text().nullable(),
    attempts: p.integer().default(0),
    /** The event and its person, once they have been looked up. Their module may be missing: no foreign keys. */
    title: p.text().nullable(),
    link: p.text().nullable(),
    personKind: p.text().nullable(),
    personId: p.bigint('number').nullable(),
    personName: p.text().nullable(),
    results: p.json().$type<ActionResult[]>().default([]),
    /** When it began to act: it counts towards the day's runs. */
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('automation_run_once', '(coach_id, automation_id, event_key)', { unique: true }),
    sqlIndex('automation_run_newest', '(coach_id, automation_id, id desc)'),
    sqlIndex('automation_run_started', '(coach_id, started_at) where started_at is not null'),
    sqlIndex('automation_run_person', '(coach_id, person_kind, person_id) where person_id is not null'),
    sqlIndex('automation_run_time', '(coach_id, created_at)'),
  ],
  checks: [
    check('automation_run_state_allowed', allowedValues('state', Object.keys(runStates))),
    ...lengthChecks('automation_run', 500, ['event_key', 'problem', 'title', 'link', 'person_name']),
    ...lengthChecks('automation_run', 100, ['trigger', 'person_kind']),
    check('automation_run_attempts_range', 'attempts >= 0'),
  ],
  ...tenantPolicy('automation_run'),
})

/** An email of a run, sent at most once. */
export const AutomationEmail = defineEntity({
  name: 'AutomationEmail',
  tableName: 'automation_email',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    run: () => tenantReference(AutomationRun, 'run_id', 'cascade'),
    /** The action of the automation. */
    actionId: p.text(),
    email: p.text(),
    subject: p.text(),
    body: p.text(),
    state: p.text().$type<EmailState>().default('waiting'),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
  },
  indexes: [sqlIndex('automation_email_once', '(coach_id, run_id, action_id)', { unique: true })],
  checks: [
    check('automation_email_state_allowed', allowedValues('state', emailStates)),
    ...lengthChecks('automation_email', 40, ['action_id']),
    ...lengthChecks('automation_email', 254, ['email']),
    ...lengthChecks('automation_email', 1000, ['subject']),
    ...lengthChecks('automation_email', 20_000, ['body']),
  ],
  ...tenantPolicy('automation_email'),
})
