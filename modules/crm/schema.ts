import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { atMost, oneOf, tenantColumns, tenantPolicy, timestamps } from '#db/columns.ts'
import { clientStatuses, type ClientStatus } from './forms.ts'

const check = (name: string, expression: string) => ({ name, expression })
const lengths = (table: string, max: number, columns: string[]) =>
  columns.map((column) => check(`${table}_${column}_length`, atMost(column, max)))

/** A person whom the coach works with. */
export const Client = defineEntity({
  name: 'Client',
  tableName: 'client',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    location: p.text().nullable(),
    profession: p.text().nullable(),
    timezone: p.text().nullable(),
    program: p.text().nullable(),
    status: p.text().$type<ClientStatus>().default('active'),
    progress: p.integer().default(0),
    goals: p.text().nullable(),
    notes: p.text().nullable(),
    futureGoals: p.text().nullable(),
    frustrations: p.text().nullable(),
    fears: p.text().nullable(),
    failures: p.text().nullable(),
    convertedAt: p.datetime(3).nullable(),
    convertedFromProspectId: p.bigint('number').nullable(),
    /** Cents. A cache of the completed purchases, kept by the module that sells. */
    totalSpent: p.bigint('number').default(0),
    /** Put away: out of the list and out of the plan's count. */
    archivedAt: p.datetime(3).nullable(),
    /** In the trash, until it is erased 30 days later. */
    deletedAt: p.datetime(3).nullable(),
    /** Counts the edits, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...timestamps,
  },
  indexes: [
    {
      name: 'client_current',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, created_at desc, id desc) where deleted_at is null and archived_at is null`,
    },
    {
      name: 'client_trash',
      expression: (_columns, table, name) => `create index "${name}" on "${table.name}" (coach_id, deleted_at) where deleted_at is not null`,
    },
  ],
  checks: [
    ...lengths('client', 255, ['name', 'phone', 'location', 'profession', 'timezone', 'program']),
    ...lengths('client', 254, ['email']),
    ...lengths('client', 50_000, ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures']),
    check('client_name_present', `name <> ''`),
    check('client_email_present', `email <> ''`),
    check('client_status_known', oneOf('status', clientStatuses)),
    check('client_progress_range', 'progress >= 0 and progress <= 100'),
    check('client_total_spent_range', 'total_spent >= 0'),
    check('client_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('client'),
})
export type ClientRow = InferEntity<typeof Client>

/** Something that happened in the practice, as the dashboard tells it. Never changed, erased with its client. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    type: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    client: () =>
      p.manyToOne(Client).ref().nullable().joinColumns('coach_id', 'client_id').ownColumns('client_id').updateRule('no action').deleteRule('cascade'),
    createdAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'activity_newest',
      expression: (_columns, table, name) => `create index "${name}" on "${table.name}" (coach_id, created_at desc, id desc)`,
    },
    { name: 'activity_of_client', properties: ['coachId', 'client'] },
  ],
  checks: [
    check('activity_type_shape', `type ~ '^[a-z]+(_[a-z]+)*$' and char_length(type) <= 60`),
    ...lengths('activity', 255, ['title']),
    ...lengths('activity', 50_000, ['description']),
  ],
  ...tenantPolicy('activity'),
})
