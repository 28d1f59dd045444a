import { defineEntity, p } from '@mikro-orm/core'
import { columns, sqlIndex } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'

/** The secret address at which calendar programs read the appointments of a coach. */
export const CalendarFeed = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feed',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    tokenHash: p.blob(),
    /** Otherwise only when the coach is busy. */
    showsDetails: p.boolean(),
    createdAt: p.datetime(3),
    lastReadAt: p.datetime(3).nullable(),
  },
  indexes: [sqlIndex('calendar_feed_coach', '(coach_id)', { unique: true })],
  ...tenantPolicy('calendar_feed'),
})
