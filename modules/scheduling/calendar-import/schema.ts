import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import type { ImportContent, ImportSummary } from './plan.ts'

/** A calendar file that a coach has uploaded. Undoing the import deletes it. */
export const CalendarImport = defineEntity({
  name: 'CalendarImport',
  tableName: 'calendar_import',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    fileName: p.text(),
    /** For the preview. */
    summary: p.json().$type<ImportSummary>(),
    /** The events to add; null once they are. */
    content: p.json().$type<ImportContent>().nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
  indexes: [sqlIndex('calendar_import_created', '(coach_id, created_at)')],
  checks: [
    check('calendar_import_file_name_length', maxLength('file_name', 255)),
    check('calendar_import_finished', '(content is null) = (finished_at is not null)'),
  ],
  ...tenantPolicy('calendar_import'),
})

/** An event that was imported: it is not added again. As a busy time it has a title and times. */
export const ImportedEvent = defineEntity({
  name: 'ImportedEvent',
  tableName: 'imported_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Null after the import was undone, for an appointment that stays or is in the trash. */
    calendarImport: () => tenantReference(CalendarImport, 'calendar_import_id', 'cascade').nullable(),
    /** The hash of its UID and of the original start of an occurrence. */
    keyHash: p.blob(),
    /** No foreign key: the event stays known after its appointment is erased. */
    appointmentId: p.bigint('number').nullable(),
    title: p.text().nullable(),
    startTime: p.datetime(3).nullable(),
    endTime: p.datetime(3).nullable(),
    isAllDay: p.boolean().default(false),
  },
  indexes: [
    sqlIndex('imported_event_key', '(coach_id, key_hash)', { unique: true }),
    sqlIndex('imported_event_import', '(coach_id, calendar_import_id) where calendar_import_id is not null'),
    sqlIndex('imported_event_time', '(coach_id, end_time, start_time) where end_time is not null'),
  ],
  checks: [
    check('imported_event_title_length', maxLength('title', 255)),
    check(
      'imported_event_busy_time',
      'num_nulls(title, start_time, end_time) in (0, 3) and (appointment_id is null) = (title is not null)',
    ),
    check('imported_event_ends_after_start', 'end_time > start_time'),
  ],
  ...tenantPolicy('imported_event'),
})
