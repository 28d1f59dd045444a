import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, sqlIndex } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'

/** The websites that may show the booking page of a coach in a frame: at most one row for each coach. */
export const BookingEmbed = defineEntity({
  name: 'BookingEmbed',
  tableName: 'booking_embed',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Such as 'https://www.example.com'. */
    origins: p.array<string>(String).columnType('text[]'),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('booking_embed_coach', '(coach_id)', { unique: true })],
  checks: [check('booking_embed_origins', 'cardinality(origins) <= 10')],
  ...tenantPolicy('booking_embed'),
})
