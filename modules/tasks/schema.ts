import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { reminders, taskOwners, taskSources, type Reminder, type TaskOwner, type TaskSource } from './fields.ts'

/** Something that the coach or a client is going to do. */
export const Task = defineEntity({
  name: 'Task',
  tableName: 'task',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    title: p.text(),
    owner: p.text().$type<TaskOwner>(),
    /** The task is about this client, or theirs. */
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    dueDate: p.date().nullable(),
    doneAt: p.datetime(3).nullable(),
    reminder: p.text().$type<Reminder>(),
    /** Set before the email is given to the mail server, so that none is sent twice. */
    remindedAt: p.datetime(3).nullable(),
    notes: p.text().nullable(),
    source: p.text().$type<TaskSource>().default('manual'),
    /** The session that it comes from. No foreign key: the task stays when the session is erased. */
    appointmentId: p.bigint('number').nullable(),
    /** The line of its transcript that says it. */
    line: p.integer().nullable(),
    /** Tells the tasks of one session apart, so that none is added twice. */
    sourceKey: p.text().nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('title'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('task_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('task_open', '(coach_id, due_date, id) where done_at is null and deleted_at is null'),
    sqlIndex('task_done', '(coach_id, done_at desc, id desc) where done_at is not null and deleted_at is null'),
    sqlIndex('task_client', '(coach_id, client_id) where client_id is not null'),
    sqlIndex('task_source_key', '(coach_id, appointment_id, source_key) where source_key is not null', {
      unique: true,
    }),
  ],
  checks: [
    check('task_title_length', `title <> '' and ${maxLength('title', 1000)}`),
    ...lengthChecks('task', 50_000, ['notes']),
    ...lengthChecks('task', 100, ['source_key']),
    check('task_owner_allowed', allowedValues('owner', Object.keys(taskOwners))),
    check('task_owner_client', `owner <> 'client' or client_id is not null`),
    check('task_reminder_allowed', allowedValues('reminder', Object.keys(reminders))),
    check('task_source_allowed', allowedValues('source', Object.keys(taskSources))),
    check('task_source_session', `(source = 'session') = (source_key is not null)`),
    check('task_line_range', 'line >= 1'),
    check('task_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('task', {
    clients: { rows: `client_id = ${currentClient} and owner = 'client' and deleted_at is null`, writes: true },
  }),
})
export type TaskRow = InferEntity<typeof Task>
