import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { refundRules, type RefundRule } from '../booking-fields.ts'
import { Appointment, AppointmentType } from '../schema.ts'
import {
  paidBookingStates,
  refundStates,
  type BookingDetails,
  type PaidBookingState,
  type RefundState,
} from './states.ts'

/** A slot that a visitor pays for. It becomes an appointment in the transaction in which its sale is paid. */
export const PaidBooking = defineEntity({
  name: 'PaidBooking',
  tableName: 'paid_booking',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** No foreign key: the module that has sales may be missing. */
    saleId: p.bigint('number'),
    appointmentType: () => tenantReference(AppointmentType, 'appointment_type_id', 'no action').nullable(),
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade').nullable(),
    state: p.text().$type<PaidBookingState>().default('open'),
    startTime: p.datetime(3),
    durationMinutes: p.integer(),
    /** The visitor's. */
    timezone: p.text(),
    /** The visitor's own texts and choices; empty once the appointment has them, or never will. */
    details: p.json().$type<Partial<BookingDetails>>(),
    /** It can be paid until then. */
    keptUntil: p.datetime(3),
    /** The type's rule when the visitor agreed. */
    refund: p.text().$type<RefundRule>(),
    /** The type's notice then; null: its notice now. */
    cancellationNoticeMinutes: p.integer().nullable(),
    refundState: p.text().$type<RefundState>().nullable(),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('paid_booking_sale', '(coach_id, sale_id)', { unique: true }),
    sqlIndex('paid_booking_appointment', '(coach_id, appointment_id) where appointment_id is not null'),
    sqlIndex('paid_booking_type', '(coach_id, appointment_type_id) where appointment_type_id is not null'),
  ],
  checks: [
    check('paid_booking_state_allowed', allowedValues('state', paidBookingStates)),
    check('paid_booking_booked', `state <> 'booked' or appointment_id is not null`),
    check('paid_booking_timezone_length', maxLength('timezone', 255)),
    check('paid_booking_refund_allowed', allowedValues('refund', Object.keys(refundRules))),
    check('paid_booking_refund_state_allowed', allowedValues('refund_state', refundStates)),
  ],
  ...tenantPolicy('paid_booking'),
})
