import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from './prospects.ts'

// SQL fragments for other modules, so that only scheduling names the table. $1 is the coach.

/** Joins the appointment of `row` as `a`, with its client `c` and prospect `p`, unless one of them is in the trash. */
export const joinSession = (row: string): string => `join appointment a
    on a.coach_id = $1 and a.id = ${row}.appointment_id and a.deleted_at is null
  ${joinClient('a')} ${joinProspect('a')}`
/** For `where`, with `joinSession`. */
export const isSessionVisible = 'c.deleted_at is null and p.deleted_at is null'
/** The name of the client or prospect. */
export const attendeeNameSql = 'coalesce(c.name, p.name)'

/** Whether the appointment of `row`, or its client or prospect, is in the trash. */
export const isSessionInTrash = (row: string): string => `not exists (
    select 1 from appointment a ${joinClient('a')} ${joinProspect('a')}
    where a.coach_id = $1 and a.id = ${row}.appointment_id and a.deleted_at is null and ${isSessionVisible})`

/** The title of the appointment of `row`. */
export const sessionTitleSql = (row: string): string =>
  `(select a.title from appointment a where a.coach_id = $1 and a.id = ${row}.appointment_id)`

/** Selects the client, start and end of each completed session of a client. */
export const completedSessionsSql = `select client_id, start_time, end_time from appointment
  where coach_id = $1 and status = 'completed' and client_id is not null and deleted_at is null`

/** Selects the ids of a client's appointments, also of those in the trash. */
export const sessionIdsOfClient = (placeholder: string): string =>
  `select id from appointment where coach_id = $1 and client_id = ${placeholder}`
