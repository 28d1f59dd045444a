import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Client } from '#modules/crm/index.ts'
import { Appointment, AppointmentType } from '../schema.ts'

/** A link by which a client or prospect books one appointment of a type, once. */
export const BookingLink = defineEntity({
  name: 'BookingLink',
  tableName: 'booking_link',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointmentType: () => tenantReference(AppointmentType, 'appointment_type_id', 'cascade'),
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    /** Its module may be missing: only the migrations have its foreign key. */
    prospectId: p.bigint('number').nullable(),
    /** Null: it doesn't expire. */
    expiresAt: p.datetime(3).nullable(),
    usedAt: p.datetime(3).nullable(),
    /** The booked one. */
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade').nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    { name: 'booking_link_client', properties: ['coachId', 'client'] },
    { name: 'booking_link_prospect', properties: ['coachId', 'prospectId'] },
  ],
  checks: [
    check('booking_link_client_or_prospect', 'num_nonnulls(client_id, prospect_id) = 1'),
    check('booking_link_used', 'appointment_id is null or used_at is not null'),
  ],
  ...tenantPolicy('booking_link'),
})
