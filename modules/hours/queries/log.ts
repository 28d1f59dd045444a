import { dayStart, addDays } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { completedSessionsSql } from '#modules/scheduling/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Counting } from '../fields.ts'
import { pageSize } from '../list-state.ts'
import { entry, type EntryRecord } from '../records.ts'

/** Days of the coach's calendar, both included; null for no limit. */
export type Period = { from: string | null; to: string | null }

/** The completed sessions of a client in the period. `first`, `last`: when they began. */
export type ClientHours = {
  clientId: number
  name: string
  contact: string | null
  sessions: number
  minutes: number
  first: string
  last: string
  counting: Counting
  /** Chosen by the coach, or by whether the client has ever paid. */
  isChosen: boolean
}

/** `clients`: also those of entries for individuals. */
export type Totals = { paidMinutes: number; proBonoMinutes: number; clients: number; rows: number }

/** At most this many clients and entries are in a file. */
const maxExported = 20_000

// Whole minutes of each session, as the coach would add them up.
const hoursSql = `from (
    select client_id, count(*)::int as sessions, min(start_time) as first, max(start_time) as last,
      sum(round(extract(epoch from end_time - start_time) / 60))::int as minutes
    from (${completedSessionsSql}) session
    where start_time >= coalesce($2::timestamptz, '-infinity') and start_time < coalesce($3::timestamptz, 'infinity')
    group by client_id
  ) s ${joinClient('s')}
  left join hours_counting h on h.coach_id = $1 and h.client_id = s.client_id
  where c.deleted_at is null`
const countingSql = `coalesce(h.counting, case when c.total_spent > 0 then 'paid' else 'pro_bono' end)`
const rowSql = `select s.client_id as "clientId", c.name, coalesce(c.email, c.phone) as contact, s.sessions, s.minutes,
    ${isoTimestamp('s.first')} as first, ${isoTimestamp('s.last')} as last, ${countingSql} as counting,
    h.counting is not null as "isChosen" ${hoursSql}
  order by s.last desc, s.client_id`
const entryFilter = `coach_id = $1 and deleted_at is null
  and end_date >= coalesce($2::date, '-infinity') and end_date <= coalesce($3::date, 'infinity')`
const entriesSql = `select ${entry.select} from hours_entry where ${entryFilter} order by end_date desc, id desc`

function toInstants(ctx: Ctx, { from, to }: Period): [Date | null, Date | null] {
  const { timezone } = ctx.account
  return [from === null ? null : dayStart(from, timezone), to === null ? null : dayStart(addDays(to, 1), timezone)]
}

/** A page of the clients, the most recently coached first; at most `rows` entries that ended in the period; and the totals. */
export async function getLog(
  ctx: Ctx,
  { page, rows, ...period }: Period & { page: number; rows: number },
): Promise<{ clients: ClientHours[]; entries: EntryRecord[]; totals: Totals }> {
  authorize(ctx, 'hours:entry:read')
  const instants = [ctx.coachId, ...toInstants(ctx, period)]
  const days = [ctx.coachId, period.from, period.to]
  const [clients, entries, [ofSessions], [ofEntries]] = (await ctx.queryAll([
    {
      name: 'hours.clients',
      text: `${rowSql} limit ${pageSize} offset $4`,
      values: [...instants, (page - 1) * pageSize],
    },
    { name: 'hours.entries', text: `${entriesSql} limit $4`, values: [...days, rows] },
    { name: 'hours.session-totals', text: `select ${totalsSql} from (${rowSql}) r`, values: instants },
    {
      name: 'hours.entry-totals',
      text: `select coalesce(sum(paid_minutes), 0)::bigint as "paidMinutes",
          coalesce(sum(pro_bono_minutes), 0)::bigint as "proBonoMinutes",
          coalesce(sum(coalesce(participants, 1)), 0)::bigint as clients, count(*)::int as rows
        from hours_entry where ${entryFilter}`,
      values: days,
    },
  ])) as [ClientHours[], EntryRecord[], [Totals], [Totals]]
  return {
    clients,
    entries,
    totals: {
      paidMinutes: ofSessions.paidMinutes + ofEntries.paidMinutes,
      proBonoMinutes: ofSessions.proBonoMinutes + ofEntries.proBonoMinutes,
      clients: ofSessions.clients + ofEntries.clients,
      rows: ofSessions.rows,
    },
  }
}

const totalsSql = `coalesce(sum(minutes) filter (where counting = 'paid'), 0)::bigint as "paidMinutes",
  coalesce(sum(minutes) filter (where counting = 'pro_bono'), 0)::bigint as "proBonoMinutes",
  count(*) filter (where counting <> 'not_counted')::int as clients, count(*)::int as rows`

/** All that counts, for a file. */
export async function listLog(ctx: Ctx, period: Period): Promise<{ clients: ClientHours[]; entries: EntryRecord[] }> {
  authorize(ctx, 'hours:entry:read')
  const [clients, entries] = (await ctx.queryAll([
    {
      name: 'hours.export-clients',
      text: `${rowSql} limit ${maxExported}`,
      values: [ctx.coachId, ...toInstants(ctx, period)],
    },
    {
      name: 'hours.export-entries',
      text: `${entriesSql} limit ${maxExported}`,
      values: [ctx.coachId, period.from, period.to],
    },
  ])) as [ClientHours[], EntryRecord[]]
  return { clients: clients.filter(({ counting }) => counting !== 'not_counted'), entries }
}
