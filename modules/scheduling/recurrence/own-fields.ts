import { getRuleStart, type WallTime } from './rule.ts'

/** A session of a series can have these of its own: changes of the series leave them. */
export type OwnField = 'title' | 'attendee' | 'type' | 'start' | 'length' | 'meetingUrl' | 'description'

const columnFields: Record<string, OwnField> = {
  title: 'title',
  client: 'attendee',
  prospectId: 'attendee',
  appointmentType: 'type',
  meetingUrl: 'meetingUrl',
  description: 'description',
}

type Session = { occurrenceDate?: string | null; startTime: Date; endTime: Date; ownFields: OwnField[] }
type Rule = WallTime & { durationMinutes: number }

/**
 * The own fields of a session after `changed` columns: a session that is back at its usual time has no time of its own.
 */
export function getOwnFields(session: Session, changed: string[], rule: Rule): OwnField[] {
  const { occurrenceDate, startTime, endTime } = session
  const own = new Set(session.ownFields)
  for (const column of changed) if (columnFields[column]) own.add(columnFields[column])
  const set = (field: OwnField, isOwn: boolean) => (isOwn ? own.add(field) : own.delete(field))
  if (changed.includes('startTime') || changed.includes('endTime')) {
    set('start', startTime.getTime() !== getRuleStart(occurrenceDate!, rule).getTime())
    set('length', endTime.getTime() - startTime.getTime() !== rule.durationMinutes * 60_000)
  }
  return [...own].sort()
}
