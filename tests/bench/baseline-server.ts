import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { createElement as h, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { addDays, addMonths, localDate, monthSpan, zonedToInstant } from '#app/lib/time.ts'
import { createDatabaseSigner } from '#db/signatures.ts'
import { bookedType } from './booking-data.ts'
import { htmlToReact } from './html-to-react.ts'

// The server that `npm run bench` compares the product with: node:http and pg, on the same tables with the same row
// level security. Each request awaits the session, begin, set_config, one prepared statement and commit.

type Session = { coach_id: string; plan: string }
type Host = { coach_id: string; timezone: string }
type Query = { name: string; text: string; values: unknown[] }

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const { PORT, PAGE_FILE, SECRET_KEY = '' } = process.env
const { signActor } = createDatabaseSigner(SECRET_KEY)
/** A page of the product, rendered again for each request. */
const createProductPage = PAGE_FILE ? htmlToReact(readFileSync(PAGE_FILE, 'utf8')) : undefined

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error)
    sendJson(response, 500, { message: 'Something went wrong' })
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

process.once('SIGTERM', () => process.exit(0))

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url!.startsWith('/book/')) return handleVisitor(request, response)
  const session = await findSession(request)
  if (!session) return sendJson(response, 401, { message: 'Please sign in.' })
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const param = (name: string): string => searchParams.get(name) ?? ''

  if (pathname === '/clients') {
    const rows = await queryAsTenant<TableRow>(session, clientTable())
    return sendHtml(response, param('bench') === 'table' ? clientTablePage(rows) : createProductPage!())
  }
  if (pathname === '/api/search') return sendJson(response, 200, await queryAsTenant(session, search(param('q'))))
  if (pathname === '/api/dashboard/stats')
    return sendJson(response, 200, (await queryAsTenant(session, dashboardStats()))[0])
  if (pathname === '/api/appointments')
    return sendJson(response, 200, await queryAsTenant(session, listAppointments(param('from'), param('to'))))
  if (pathname === '/api/clients' && request.method === 'POST') {
    const [client] = await queryAsTenant(session, createClient(session, await readClient(request)), { signs: true })
    return client ? sendJson(response, 201, client) : sendJson(response, 403, { message: 'Your plan is full.' })
  }
  if (pathname === '/api/clients')
    return sendJson(response, 200, await queryAsTenant(session, listClients(Number(param('limit')))))
  if (pathname === '/api/payments' && request.method === 'POST') {
    const [payment] = await queryAsTenant(session, createPayment(session, await readJson(request)), { signs: true })
    return payment ? sendJson(response, 201, payment) : sendJson(response, 404, { message: 'Client not found' })
  }
  if (pathname === '/api/payments')
    return sendJson(response, 200, await queryAsTenant(session, listPayments(Number(param('limit')))))
  const [, id] = /^\/api\/clients\/(\d+)$/.exec(pathname) ?? []
  const [client] = id ? await queryAsTenant(session, getClient(id)) : []
  return client ? sendJson(response, 200, client) : sendJson(response, 404, { message: 'Not found' })
}

async function findSession(request: IncomingMessage): Promise<Session | undefined> {
  const token = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!token) return undefined
  const { rows } = await pool.query<Session>({
    name: 'session',
    text: 'select coach_id, plan from baseline_session($1)',
    values: [createHash('sha256').update(token).digest()],
  })
  return rows[0]
}

/** Pages of a coach's own host: the free times of a month, and a booking. */
async function handleVisitor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = await findHost(request)
  if (!host) return sendJson(response, 404, { message: 'No practice at this address.' })
  if (request.method === 'POST') {
    const booking = book(host, await readBooking(request))
    const [booked] = await queryAsTenant<{ id: string }>(host, booking, { signs: true, locks: lockBookings })
    if (!booked) return sendJson(response, 409, { message: 'This time has just been taken.' })
    return void response.writeHead(302, { Location: `/book/confirmed/${booked.id}`, 'Content-Length': 0 }).end()
  }
  const month = new URL(request.url!, 'http://localhost').searchParams.get('month')!
  const { from, to } = monthSpan(month, host.timezone)
  const [calendar] = await queryAsTenant<Calendar>(host, getCalendar(from, to))
  if (!listFreeTimes(calendar!, month, host.timezone).length) throw new Error('The month is full')
  return sendHtml(response, createProductPage!())
}

async function findHost(request: IncomingMessage): Promise<Host | undefined> {
  const { rows } = await pool.query<Host>({
    name: 'host',
    text: 'select coach_id, timezone from baseline_host($1)',
    values: [request.headers.host?.split('.')[0]],
  })
  return rows[0]
}

/** `signs`: says who acts, which only changes need. `locks`: runs before. */
async function queryAsTenant<Row extends object>(
  { coach_id: coachId }: Pick<Session, 'coach_id'>,
  query: Query,
  { signs = false, locks }: { signs?: boolean; locks?: Query } = {},
): Promise<Row[]> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query({
      name: 'tenant',
      text: `select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`,
      values: [coachId, signs ? signActor(Number(coachId), null) : ''],
    })
    if (locks) await connection.query(locks)
    const { rows } = await connection.query<Row>(query)
    await connection.query('commit')
    connection.release()
    return rows
  } catch (error) {
    connection.release(true)
    throw error
  }
}

const clientColumns = `id, coach_id as "coachId", name, email, phone, location, profession, timezone, program, status,
  progress, goals, notes, future_goals as "futureGoals", frustrations, fears, failures, converted_at as "convertedAt",
  converted_from_prospect_id as "convertedFromProspectId", total_spent as "totalSpent", archived_at as "archivedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

const listClients = (limit: number): Query => ({
  name: 'clients',
  text: `select ${clientColumns} from client where deleted_at is null and archived_at is null
    order by created_at desc, id desc limit $1`,
  values: [limit],
})

const getClient = (id: string): Query => ({
  name: 'client',
  text: `select ${clientColumns} from client where id = $1 and deleted_at is null`,
  values: [id],
})

const listAppointments = (from: string, to: string): Query => ({
  name: 'appointments',
  text: `select a.id, a.coach_id as "coachId", a.client_id as "clientId", c.name as "clientName",
      a.prospect_id as "prospectId", p.name as "prospectName", t.id as "appointmentTypeId", a.title, a.description,
      a.start_time as "startTime", a.end_time as "endTime", a.timezone, a.status, a.meeting_url as "meetingUrl",
      null as "audioUrl", null as "googleEventId", a.completed_at is not null as "sessionCompleted",
      a.completed_at as "completedAt", null as "revaiJobId", false as "summaryGenerated",
      'pending' as "recordingDetectionStatus", 0 as "recordingDetectionAttempts",
      null as "lastRecordingDetectionAttempt", a.created_at as "createdAt", a.updated_at as "updatedAt"
    from appointment a
      left join client c on c.coach_id = a.coach_id and c.id = a.client_id
      left join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
      left join appointment_type t
        on t.coach_id = a.coach_id and t.id = a.appointment_type_id and t.deleted_at is null
    where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null
      and a.start_time >= $1 and a.start_time < $2
    order by a.start_time, a.id`,
  values: [from, to],
})

const monthStart = `date_trunc('month', now() at time zone 'Europe/Berlin') at time zone 'Europe/Berlin'`

const dashboardStats = (): Query => ({
  name: 'stats',
  text: `select
      (select count(*)::int from client where deleted_at is null and archived_at is null) as "totalClients",
      (select count(*)::int from appointment a
        left join client c on c.coach_id = a.coach_id and c.id = a.client_id
        left join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
        where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null and a.status <> 'cancelled'
          and a.start_time >= ${monthStart} and a.start_time < ${monthStart} + interval '1 month'
      ) as "sessionsThisMonth",
      (select coalesce(sum(amount), 0)::int from purchase
        where deleted_at is null and status = 'completed' and purchased_at >= ${monthStart}) as "monthlyRevenue",
      (select count(*)::int from prospect where deleted_at is null and converted_at is null) as "activeProspects"`,
  values: [],
})

const searchKey = '(select search_key($1))'

const search = (term: string): Query => ({
  name: 'search',
  text: `(select 'client' as type, id, name as title, email as subtitle, '/clients/' || id as to from client
      where deleted_at is null and strpos(search_text, ${searchKey}) > 0
      order by archived_at is not null, not starts_with(search_text, ${searchKey}), search_text, id limit 8)
    union all
    (select 'prospect', id, name, coalesce(company, email), '/pipeline?dialog=edit&prospect=' || id from prospect
      where deleted_at is null and converted_at is null and strpos(search_text, ${searchKey}) > 0
      order by not starts_with(search_text, ${searchKey}), search_text, id limit 8)
    union all
    (select 'appointment', a.id, a.title, coalesce(c.name, p.name), '/calendar?dialog=appointment&appointment=' || a.id
      from appointment a
        left join client c on c.coach_id = a.coach_id and c.id = a.client_id
        left join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
      where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null
        and (strpos(a.search_text, ${searchKey}) > 0 or strpos(c.search_text, ${searchKey}) > 0
          or strpos(p.search_text, ${searchKey}) > 0)
      order by a.start_time desc, a.id desc limit 8)
    limit 8`,
  values: [term],
})

type NewClient = { name: string; email: string; phone?: string; notes?: string }

const createClient = ({ coach_id: coachId }: Session, { name, email, phone, notes }: NewClient): Query => ({
  name: 'create-client',
  text: `with locked as materialized (select plan from account where id = $1 for no key update),
    counted as (select count(*) as clients from client where deleted_at is null and archived_at is null),
    added as (
      insert into client (coach_id, name, email, phone, notes, created_at, updated_at)
      select $1, $2, $3, $4, $5, now(), now() from locked, counted
        where clients < case plan when 'free' then 1 when 'pro' then 10 else 2147483647 end
      returning *),
    logged as (
      insert into activity (coach_id, client_id, type, title, description, created_at)
      select coach_id, id, 'client_added', 'Client added', name, created_at from added)
    select ${clientColumns} from added`,
  values: [coachId, name, email, phone ?? null, notes ?? null],
})

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const readJson = async <T>(request: IncomingMessage): Promise<T> => JSON.parse(await readBody(request))

async function readClient(request: IncomingMessage): Promise<NewClient> {
  const client = await readJson<NewClient>(request)
  if (!client.name?.trim() || !/^[^@\s]+@[^@\s]+$/.test(client.email ?? '')) throw new Error('validation failed')
  return client
}

const paymentColumns = `i.id, i.coach_id as "coachId", i.client_id as "clientId", i.bill_to_name as "clientName",
  (i.total / 100.0)::numeric(12,2)::text as amount, i.currency,
  case when i.state in ('failed', 'void') then i.state when i.paid_at is null then 'pending'
    when i.paid > 0 and i.refunded >= i.paid then 'refunded' else 'completed' end as status,
  i.stripe_payment_intent_id as "stripePaymentIntentId", i.description, i.number as "invoiceNumber",
  (i.due_date + time '12:00') at time zone 'Europe/Berlin' as "dueDate", i.paid_at as "paidAt",
  i.created_at as "createdAt"`

const listPayments = (limit: number): Query => ({
  name: 'payments',
  text: `select ${paymentColumns} from invoice i
    where i.kind = 'invoice' and i.state <> 'draft' and i.deleted_at is null
    order by i.created_at desc, i.id desc limit $1`,
  values: [limit],
})

type NewPayment = { clientId: number; amount: string; description: string }

const createPayment = ({ coach_id: coachId }: Session, { clientId, amount, description }: NewPayment): Query => ({
  name: 'create-payment',
  text: `with buyer as (select id, name, email from client where id = $2 and deleted_at is null),
    settings as (
      update billing_settings set next_number = next_number + 1 where coach_id = $1 and exists (select from buyer)
      returning invoice_prefix || lpad((next_number - 1)::text, 4, '0') as number, currency, payment_days),
    added as (
      insert into invoice (coach_id, state, number, client_id, bill_to_name, bill_to_email, currency, description,
        issue_date, due_date, prices_include_tax, subtotal, discount, tax, total, created_at, updated_at)
      select $1, 'open', number, id, name, email, currency, $4, current_date, current_date + payment_days, false, $3, 0, 0,
        $3, now(), now() from settings, buyer
      returning *),
    line as (
      insert into invoice_line (coach_id, invoice_id, position, description, quantity, unit_price, tax_rate, amount)
      select coach_id, id, 1, description, 1, total, 0, total from added)
    select ${paymentColumns} from added i`,
  values: [coachId, clientId, Math.round(Number(amount) * 100), description],
})

type Calendar = {
  duration: number
  interval: number
  /** Weekday, first and last minute. */
  hours: [number, number, number][]
  /** In milliseconds, by start. */
  busy: [number, number][]
}

const getCalendar = (from: Date, to: Date): Query => ({
  name: 'calendar',
  text: `select t.durations[1] as duration, s.slot_interval_minutes as interval,
      (select json_agg(json_build_array(weekday, start_minute, end_minute)) from availability_range
        where schedule_id = s.id) as hours,
      (select coalesce(json_agg(json_build_array(extract(epoch from lower(during)) * 1000,
          extract(epoch from upper(during)) * 1000) order by during), '[]')
        from busy_time where end_time > $2 and start_time < $3) as busy
    from appointment_type t join availability_schedule s on s.is_default and s.deleted_at is null
    where t.slug = $1 and t.visibility = 'public' and t.deleted_at is null`,
  values: [bookedType.slug, from, to],
})

/** The starts of a month that overlap no busy time. */
function listFreeTimes({ duration, interval, hours, busy }: Calendar, month: string, zone: string): string[] {
  const free: string[] = []
  const now = Date.now()
  let next = 0
  for (let date = `${month}-01`; date < `${addMonths(month, 1)}-01`; date = addDays(date, 1)) {
    const weekday = new Date(date).getUTCDay()
    for (const [, first, last] of hours.filter(([day]) => day === weekday)) {
      const midnight = zonedToInstant(date, '00:00', zone).getTime()
      for (let minute = first; minute + duration <= last; minute += interval) {
        const start = midnight + minute * 60_000
        while (next < busy.length && busy[next]![1] <= start) next++
        const isFree = next === busy.length || busy[next]![0] >= start + duration * 60_000
        if (start > now && isFree) free.push(`${localDate(new Date(start), zone)} ${start}`)
      }
    }
  }
  return free
}

type Booking = { start: string; name: string; email: string }

async function readBooking(request: IncomingMessage): Promise<Booking> {
  const form = Object.fromEntries(new URLSearchParams(await readBody(request))) as Booking
  if (!form.name.trim() || !/^[^@\s]+@[^@\s]+$/.test(form.email) || Number.isNaN(Date.parse(form.start)))
    throw new Error('validation failed')
  return form
}

const lockBookings: Query = {
  name: 'lock-bookings',
  text: 'select from availability_schedule where is_default and deleted_at is null for no key update',
  values: [],
}

/** Books a time within the working hours that nothing overlaps, for a new client. */
const book = ({ coach_id: coachId, timezone }: Host, { start, name, email }: Booking): Query => ({
  name: 'book',
  text: `with type as (
      select t.id, t.name, $2::timestamptz + t.durations[1] * interval '1 minute' as end_time
      from appointment_type t join availability_schedule s on s.is_default and s.deleted_at is null
        join availability_range r on r.schedule_id = s.id
      where t.slug = $5 and t.visibility = 'public' and t.deleted_at is null and $2 > now()
        and r.weekday = extract(dow from $2 at time zone $6)
        and extract(epoch from ($2 at time zone $6)::time) / 60 between r.start_minute and r.end_minute - t.durations[1]
        and not exists (
          select from busy_time where during && tstzrange($2, $2::timestamptz + t.durations[1] * interval '1 minute'))),
    added as (
      insert into client (coach_id, name, email, timezone, created_at, updated_at)
      select $1, $3, $4, $6, now(), now() from type returning id, name),
    logged as (
      insert into activity (coach_id, client_id, type, title, description, created_at)
      select $1, id, 'client_added', 'Client added', name, now() from added)
    insert into appointment (coach_id, client_id, appointment_type_id, title, start_time, end_time, timezone, status,
      booked_online, created_at, updated_at)
    select $1, added.id, type.id, type.name, $2, type.end_time, $6, 'confirmed', true, now(), now() from added, type
    returning id`,
  values: [coachId, start, name, email, bookedType.slug, timezone],
})

type TableRow = {
  id: string
  name: string
  email: string
  status: string
  joinedAt: Date
  product: string | null
  lastAppointment: Date | null
  nextAppointment: Date | null
}

const clientTable = (): Query => ({
  name: 'client-table',
  text: `select c.id, c.name, c.email, c.status, c.created_at as "joinedAt",
      (select product_name from purchase where client_id = c.id and deleted_at is null
        order by purchased_at desc, id desc limit 1) as product,
      (select max(start_time) from appointment
        where client_id = c.id and deleted_at is null and status <> 'cancelled' and start_time < now()
      ) as "lastAppointment",
      (select min(start_time) from appointment
        where client_id = c.id and deleted_at is null and status <> 'cancelled' and start_time >= now()
      ) as "nextAppointment"
    from (select * from client where deleted_at is null and archived_at is null
      order by created_at desc, id desc limit 50) c
    order by c.created_at desc, c.id desc`,
  values: [],
})

const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'Europe/Berlin' })
const formatDate = (value: Date | null): string => (value ? date.format(value) : '–')
const columnTitles = ['Name', 'Date Joined', 'Latest Product', 'Last Appointment', 'Next Appointment', 'Status']

/** A table with the columns of the client list and nothing around it. */
function clientTablePage(rows: TableRow[]): ReactElement {
  return h(
    'html',
    { lang: 'en' },
    h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, 'Clients')),
    h(
      'body',
      null,
      h('h1', null, 'Clients'),
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            columnTitles.map((title) => h('th', { key: title, scope: 'col' }, title)),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map((row) => h(ClientRow, { key: row.id, ...row })),
        ),
      ),
    ),
  )
}

function ClientRow({ id, name, email, status, joinedAt, product, lastAppointment, nextAppointment }: TableRow) {
  return h(
    'tr',
    null,
    h('td', null, h('a', { href: `/clients/${id}` }, h('strong', null, name), h('span', null, email))),
    h('td', null, formatDate(joinedAt)),
    h('td', null, product ?? '–'),
    h('td', null, formatDate(lastAppointment)),
    h('td', null, formatDate(nextAppointment)),
    h('td', null, h('span', { className: 'badge' }, status)),
  )
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value))
}

function sendHtml(response: ServerResponse, page: ReactElement): void {
  send(response, 200, 'text/html; charset=utf-8', `<!doctype html>${renderToString(page)}`)
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
