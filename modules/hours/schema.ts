import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { countings, formats, type Counting, type Format } from './fields.ts'

/** Hours of coaching that took place elsewhere. */
export const HoursEntry = defineEntity({
  name: 'HoursEntry',
  tableName: 'hours_entry',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    clientName: p.text(),
    contact: p.text().nullable(),
    format: p.text().$type<Format>(),
    participants: p.integer().nullable(),
    startDate: p.date(),
    endDate: p.date(),
    paidMinutes: p.integer(),
    proBonoMinutes: p.integer(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('client_name'),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('hours_entry_newest', '(coach_id, created_at desc, id desc) where deleted_at is null')],
  checks: [
    check('hours_entry_client_name_length', `client_name <> '' and ${maxLength('client_name', 255)}`),
    check('hours_entry_contact_length', maxLength('contact', 255)),
    check('hours_entry_format_allowed', allowedValues('format', Object.keys(formats))),
    check('hours_entry_participants', `(format = 'group') = (participants is not null)`),
    check('hours_entry_participants_range', 'participants >= 2 and participants <= 1000'),
    check('hours_entry_dates', 'end_date >= start_date'),
    check(
      'hours_entry_minutes_range',
      `paid_minutes >= 0 and pro_bono_minutes >= 0 and paid_minutes + pro_bono_minutes >= 1
      and paid_minutes + pro_bono_minutes <= 600000`,
    ),
    check('hours_entry_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('hours_entry'),
})
export type EntryRow = InferEntity<typeof HoursEntry>

/** How the sessions of a client count, where the coach has chosen. */
export const HoursCounting = defineEntity({
  name: 'HoursCounting',
  tableName: 'hours_counting',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    counting: p.text().$type<Counting>(),
    updatedAt: p.datetime(3),
  },
  indexes: [sqlIndex('hours_counting_client', '(coach_id, client_id)', { unique: true })],
  checks: [check('hours_counting_counting_allowed', allowedValues('counting', Object.keys(countings)))],
  ...tenantPolicy('hours_counting'),
})
