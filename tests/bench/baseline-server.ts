import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { createElement as h, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { addDays, addMonths, dayMs, dayStart, localDate, monthSpan, zonedToInstant } from '#app/lib/time.ts'
import { createDatabaseSigner } from '#db/signatures.ts'
import { deriveSigningKeys } from '#tenants/auth/signing-keys.ts'
import { bookedType } from './booking-data.ts'
import { htmlToReact } from './html-to-react.ts'

// The server that `npm run bench` compares the product with: node:http and pg, on the same tables with the same row
// level security. Each request awaits the session, begin, set_config, one prepared statement and commit. Visitors'
// requests await the host instead, and a booking also the lock that keeps another one from taking its time. They do the
// same work as the product: all rules of types and schedules, all that is busy, and the messages of a booking with
// their jobs. Not done are the limits of an address, the storage of a plan, a form that is sent twice and other
// calendars' copies; and for a form the check against its questions.

/** `is_admin`: where the look-up of the session says so. */
type Session = { coach_id: string; plan: string; is_admin?: boolean }
type Host = { coach_id: string; timezone: string }
type Query = { name: string; text: string; values: unknown[] }

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const { PORT, PAGE_FILE, SECRET_KEY = '' } = process.env
const { signActor } = createDatabaseSigner(SECRET_KEY)
const signingKeys = deriveSigningKeys([SECRET_KEY])
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
  if (request.url === '/portal') return handleClient(request, response)
  if (request.url === '/api/form-answers') return saveAnswers(request, response)
  const session = await findSession(request)
  if (!session) return sendJson(response, 401, { message: 'Please sign in.' })
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const param = (name: string): string => searchParams.get(name) ?? ''

  if (pathname === '/clients') {
    const rows = await queryAsTenant<TableRow>(session, clientTable())
    return sendHtml(response, param('bench') === 'table' ? clientTablePage(rows) : createProductPage!())
  }
  if (pathname === '/api/admin/coaches') {
    if (!session.is_admin) return sendJson(response, 403, { message: 'Only for administrators.' })
    return sendJson(response, 200, await queryAsTenant(session, listCoaches(Number(param('limit')))))
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
  if (pathname === '/api/files')
    return sendJson(response, 200, await queryAsTenant(session, listFiles(Number(param('limit')))))
  const [, messagesOf] = /^\/api\/clients\/(\d+)\/messages$/.exec(pathname) ?? []
  if (messagesOf)
    return sendJson(response, 200, await queryAsTenant(session, listMessages(messagesOf, Number(param('limit')))))
  const [, id] = /^\/api\/clients\/(\d+)$/.exec(pathname) ?? []
  const [client] = id ? await queryAsTenant(session, getClient(id)) : []
  return client ? sendJson(response, 200, client) : sendJson(response, 404, { message: 'Not found' })
}

async function findSession(request: IncomingMessage): Promise<Session | undefined> {
  const token = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!token) return undefined
  const { rows } = await pool.query<Session>({
    name: 'session',
    text: 'select * from baseline_session($1)',
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
  if (!listFreeTimes(calendar!, month, host.timezone).size) throw new Error('The month is full')
  return sendHtml(response, createProductPage!())
}

/** The portal's page of a client: the host, the session, and what each module shows, in one statement. */
async function handleClient(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = await findHost(request)
  const token = /(?:^|; )portal=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!host || !token) return sendJson(response, 401, { message: 'Please sign in.' })
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query({ name: 'tenant', text: tenantText, values: [host.coach_id, ''] })
    const { rows } = await connection.query<{ id: string }>(findPortalClient(token))
    const client = rows[0]
    if (client) {
      await connection.query({
        name: 'client',
        text: `select set_config('app.client_id', $1, true)`,
        values: [client.id],
      })
      await connection.query(getPortalHome(client.id))
    }
    await connection.query('commit')
    connection.release()
    if (client) sendHtml(response, createProductPage!())
    else sendJson(response, 401, { message: 'Please sign in.' })
  } catch (error) {
    connection.release(true)
    throw error
  }
}

/** Saves a form by its signed link, if the page has the latest version. */
async function saveAnswers(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = await findHost(request)
  const { token, ...saved } = await readJson<SavedAnswers & { token: string }>(request)
  const [coachId, id] = (signingKeys.verify('form', token) ?? '').split('.')
  if (!host || !id || coachId !== String(host.coach_id)) return sendJson(response, 404, { message: 'Not found' })
  const [row] = await queryAsTenant(host, updateAnswers(id, saved), { signs: true })
  return row ? sendJson(response, 200, row) : sendJson(response, 409, { message: 'Changed on another device.' })
}

async function findHost(request: IncomingMessage): Promise<Host | undefined> {
  const { rows } = await pool.query<Host>({
    name: 'host',
    text: 'select coach_id, timezone from baseline_host($1)',
    values: [request.headers.host?.split('.')[0]],
  })
  return rows[0]
}

const tenantText = `select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`

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
      text: tenantText,
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
  progress, goals, notes, future_goals as "futureGoals", frustrations, fears, failures, tags, converted_at as "convertedAt",
  converted_from_prospect_id as "convertedFromProspectId", total_spent as "totalSpent", archived_at as "archivedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

const listClients = (limit: number): Query => ({
  name: 'clients',
  text: `select ${clientColumns} from client where deleted_at is null and archived_at is null
    order by created_at desc, id desc limit $1`,
  values: [limit],
})

const listCoaches = (limit: number): Query => ({
  name: 'coaches',
  text: `select id, email, first_name as "firstName", last_name as "lastName", business_name as "businessName",
    plan as "subscriptionStatus", created_at as "createdAt" from baseline_coaches($1)`,
  values: [limit],
})

const getClient = (id: string): Query => ({
  name: 'client',
  text: `select ${clientColumns} from client where id = $1 and deleted_at is null`,
  values: [id],
})

const listMessages = (clientId: string, limit: number): Query => ({
  name: 'messages',
  text: `with page as materialized (
      select m.* from message m join client c on c.id = m.client_id
      where m.client_id = $1 and c.deleted_at is null order by m.created_at desc, m.id desc limit $2)
    select m.id, m.client_id as "clientId", case m.sender when 'coach' then m.coach_id else m.client_id end as "senderId",
      case m.sender when 'coach' then m.client_id else m.coach_id end as "receiverId", m.content,
      m.read_at is not null as "isRead", m.created_at as "createdAt",
      coalesce(f.files, '[]') as attachments
    from page m left join (
      select a.message_id, json_agg(json_build_object('fileId', a.resource_id, 'name', r.name) order by a.position) as files
      from message_attachment a join resource r on r.id = a.resource_id
      where a.message_id in (select id from page) group by a.message_id) f on f.message_id = m.id
    order by m.created_at desc, m.id desc`,
  values: [clientId, limit],
})

const findPortalClient = (token: string): Query => ({
  name: 'portal-client',
  text: `select c.id from portal_session s join client c on c.id = s.client_id
    where s.token_hash = $1 and s.expires_at > now() and c.deleted_at is null and lower(c.email) = s.email`,
  values: [createHash('sha256').update(token).digest()],
})

const asList = (text: string): string => `(select json_agg(listed) from (${text}) as listed)`

const getPortalHome = (clientId: string): Query => ({
  name: 'portal-home',
  text: `select ${[
    `select id, title, start_time, end_time, timezone, status, meeting_url from appointment
      where client_id = $1 and deleted_at is null and status <> 'cancelled' and end_time > now()
      order by start_time limit 3`,
    `select id, title, due_date, done_at from task
      where client_id = $1 and owner = 'client' and done_at is null and deleted_at is null order by due_date, id limit 5`,
    `select s.id, v.name, s.started_at, s.expires_at from form_submission s
        join form f on f.id = s.form_id join form_version v on v.form_id = f.id and v.number = f.published_number
      where s.client_id = $1 and s.submitted_at is null and s.deleted_at is null order by s.created_at desc limit 5`,
    `select id, title, state, expires_at from contract
      where client_id = $1 and client_signed_at is null and sent_at is not null and closed_at is null
        and deleted_at is null order by created_at desc limit 5`,
    `select id, number, total, paid, currency, due_date, state from invoice
      where client_id = $1 and state = 'open' and deleted_at is null order by due_date, id limit 5`,
    `select s.id, r.name, r.type, r.size, s.created_at from resource_share s join resource r on r.id = s.resource_id
      where s.client_id = $1 and s.revoked_at is null and r.deleted_at is null order by s.created_at desc limit 5`,
    `select last_sender, excerpt, last_message_at, unread_by_client from message_thread where client_id = $1`,
    `select p.id, p.name, i.title, i.kind, i.due_date, i.done_at from program p
        join program_item i on i.program_id = p.id
      where p.client_id = $1 and p.completed_at is null order by i.position`,
    `select a.id, a.title, a.start_time from session_summary s join appointment a on a.id = s.appointment_id
      where a.client_id = $1 and a.deleted_at is null and s.status = 'shared' and s.deleted_at is null
      order by a.start_time desc limit 5`,
  ]
    .map(asList)
    .join(', ')}`,
  values: [clientId],
})

type SavedAnswers = { version: number; formVersionId: number; answers: Record<string, string[]> }

const updateAnswers = (id: string, { version, formVersionId, answers }: SavedAnswers): Query => ({
  name: 'save-answers',
  text: `update form_submission s set answers = $2, form_version_id = $3, version = version + 1,
      started_at = coalesce(started_at, now()), updated_at = now()
    where id = $1 and version = $4 and submitted_at is null and deleted_at is null
      and (expires_at is null or expires_at > now()) and (form_version_id is null or form_version_id = $3)
      and exists (select from form_version v join form f on f.id = v.form_id
        where v.id = $3 and v.form_id = s.form_id and f.deleted_at is null)
      and exists (select from client c where c.id = s.client_id and c.deleted_at is null)
    returning version`,
  values: [id, JSON.stringify(answers), formVersionId, version],
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

const listFiles = (limit: number): Query => ({
  name: 'files',
  text: `select r.id, r.coach_id as "coachId", r.name, r.client_id as "clientId", r.folder_id as "folderId", r.type, r.size,
      r.name as "fileName", coalesce(r.url, '/api/files/' || r.id || '/download') as "fileUrl",
      r.content_type as "fileType", r.size as "fileSize",
      '/api/files/' || r.id || '/thumbnail?of=' || r.thumbnail_id as "thumbnailUrl",
      '/api/files/' || r.id || '/preview?of=' || r.preview_id as "previewUrl", r.tags, r.is_shared as "isShared", r.created_at as "createdAt",
      r.updated_at as "updatedAt"
    from resource r left join client c on c.coach_id = r.coach_id and c.id = r.client_id
    where r.deleted_at is null and c.deleted_at is null
    order by r.created_at desc, r.id desc limit $1`,
  values: [limit],
})

type NewPayment = { clientId: number; amount: string; description: string }

const createPayment = ({ coach_id: coachId }: Session, { clientId, amount, description }: NewPayment): Query => ({
  name: 'create-payment',
  text: `with buyer as (select id, name, email from client where id = $2 and deleted_at is null),
    settings as (
      update billing_settings set next_number = next_number + 1 where coach_id = $1 and exists (select from buyer)
      returning invoice_prefix || lpad((next_number - 1)::text, 4, '0') as number, payment_days,
        (select currency from account where id = $1) as currency),
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

/** The rules and busy times that decide about the free times of a type, and the types that the page lists. */
type Calendar = {
  types: Record<string, unknown>[]
  duration: number
  interval: number
  /** Minutes. */
  bufferBefore: number
  bufferAfter: number
  notice: number
  /** Days. */
  window: number
  /** For a day and a week: of all appointments, and of this type. */
  limits: { daily: (number | null)[]; weekly: (number | null)[] }
  /** Weekday, first and last minute. */
  hours: [number, number, number][]
  /** Date, first and last minute; a day off has none. */
  overrides: [string, number | null, number | null][]
  /**
   * Start, first and last moment that is taken in milliseconds; whether it counts as an appointment, and as one of this
   * type.
   */
  busy: [number, number, number, boolean, boolean][]
}

const typeRule = (column: string): string => `coalesce(t.${column}, s.${column})`
const toMilliseconds = (time: string): string => `(date_part('epoch', ${time}) * 1000)::bigint`

/** Limits count whole weeks, so that busy times around the month are read too. */
const getCalendar = (from: Date, to: Date): Query => ({
  name: 'calendar',
  text: `select t.durations[1] as duration, coalesce(${typeRule('slot_interval_minutes')}, t.durations[1]) as interval,
      ${typeRule('buffer_before')} as "bufferBefore", ${typeRule('buffer_after')} as "bufferAfter",
      ${typeRule('minimum_notice_minutes')} as notice, ${typeRule('booking_window_days')} as window,
      json_build_object('daily', array[s.daily_limit, t.daily_limit], 'weekly', array[s.weekly_limit, t.weekly_limit])
        as limits,
      (select json_agg(json_build_array(weekday, start_minute, end_minute)) from availability_range
        where schedule_id = s.id) as hours,
      (select coalesce(json_agg(json_build_array(date, start_minute, end_minute)), '[]') from availability_override
        where schedule_id = s.id) as overrides,
      (select coalesce(json_agg(json_build_array(${toMilliseconds('start_time')}, ${toMilliseconds('lower(during)')},
          ${toMilliseconds('upper(during)')}, source is null, source is null and appointment_type_id = t.id)
          order by lower(during)), '[]')
        from busy_time where end_time > $2 and start_time < $3 and (expires_at is null or expires_at > now())) as busy,
      (select json_agg(listed) from (
        select slug, name, description, durations, price_cents, location_kind, location_detail from appointment_type
        where visibility = 'public' and deleted_at is null order by price_cents nulls first, durations[1], name
        limit 100) as listed) as types
    from appointment_type t join availability_schedule s
      on s.deleted_at is null and (s.id = t.schedule_id or t.schedule_id is null and s.is_default)
    where t.slug = $1 and t.visibility = 'public' and t.deleted_at is null`,
  values: [bookedType.slug, new Date(from.getTime() - 9 * dayMs), new Date(to.getTime() + 9 * dayMs)],
})

/** The times of a month that can be booked, by date. */
function listFreeTimes(calendar: Calendar, month: string, zone: string): Map<string, number[]> {
  const { duration, interval, bufferBefore, bufferAfter, notice, window, limits, hours, overrides, busy } = calendar
  const now = Date.now()
  const soonest = now + notice * minuteMs
  const latest = dayStart(addDays(localDate(new Date(now), zone), window + 1), zone).getTime()
  const counts = countBookings(calendar, zone)
  const isFull = (key: string, reached: (number | null)[]): boolean =>
    reached.some((limit, index) => limit !== null && (counts[index]!.get(key) ?? 0) >= limit)
  const free = new Map<string, number[]>()
  let first = 0
  for (let date = `${month}-01`; date < `${addMonths(month, 1)}-01`; date = addDays(date, 1)) {
    const weekday = new Date(date).getUTCDay()
    const own = overrides.filter(([day]) => day === date)
    const ranges = own.length ? own : hours.filter(([day]) => day === weekday)
    if (isFull(date, limits.daily) || isFull(toWeek(date), limits.weekly)) continue
    const midnight = zonedToInstant(date, '00:00', zone).getTime()
    for (const [, begin, end] of ranges)
      for (let minute = begin; minute !== null && minute + duration <= end!; minute += interval) {
        const start = midnight + minute * minuteMs
        if (start < soonest || start >= latest) continue
        const from = start - bufferBefore * minuteMs
        const until = start + (duration + bufferAfter) * minuteMs
        while (first < busy.length && busy[first]![2] <= from) first++
        let isFree = true
        for (let index = first; isFree && index < busy.length && busy[index]![1] < until; index++)
          isFree = busy[index]![2] <= from
        if (isFree) addTo(free, date, start)
      }
  }
  return free
}

/** By date and by week: of all appointments, and of the type. */
function countBookings({ limits, busy }: Calendar, zone: string): [Map<string, number>, Map<string, number>] {
  const counts: [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
  if ([...limits.daily, ...limits.weekly].every((limit) => limit === null)) return counts
  for (const [start, , , isAppointment, isOwn] of busy) {
    const date = localDate(new Date(start), zone)
    for (const [index, counted] of [isAppointment, isOwn].entries())
      if (counted) for (const key of [date, toWeek(date)]) counts[index]!.set(key, (counts[index]!.get(key) ?? 0) + 1)
  }
  return counts
}

function addTo(times: Map<string, number[]>, date: string, start: number): void {
  const known = times.get(date)
  if (known) known.push(start)
  else times.set(date, [start])
}

const minuteMs = 60_000
const toWeek = (date: string): string => `week ${addDays(date, -new Date(date).getUTCDay())}`

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

/**
 * Books a time that the rules of the type allow and nothing overlaps: for the client with this email address, otherwise
 * for a new one within the plan. Plans the confirmation, the reminders and the coach's email, with the jobs that send
 * them: a day late, so that the product, which works on the same queue, doesn't run them.
 */
const book = ({ coach_id: coachId, timezone }: Host, { start, name, email }: Booking): Query => ({
  name: 'book',
  text: `with chosen as (select $2::timestamptz as start, ($2 at time zone $6)::date as date,
        (extract(epoch from ($2 at time zone $6)::time) / 60)::int as minute),
    type as (
      select t.id, t.name, t.durations[1] as duration, chosen.start, c.email as coach_email, c.plan,
        chosen.start + t.durations[1] * interval '1 minute' as end_time,
        coalesce(t.reminder_minutes, (select reminder_minutes from message_settings), '{1440,60}') as reminder_minutes
      from chosen, appointment_type t join availability_schedule s
          on s.deleted_at is null and (s.id = t.schedule_id or t.schedule_id is null and s.is_default),
        (select email, plan from account where id = $1 for no key update) as c
      where t.slug = $5 and t.visibility = 'public' and t.deleted_at is null
        and chosen.start >= now() + ${typeRule('minimum_notice_minutes')} * interval '1 minute'
        and date <= (now() at time zone $6)::date + ${typeRule('booking_window_days')}
        and exists (
          select from availability_range r where r.schedule_id = s.id and r.weekday = extract(dow from date)
            and minute between r.start_minute and r.end_minute - t.durations[1]
            and (minute - r.start_minute) % coalesce(${typeRule('slot_interval_minutes')}, t.durations[1]) = 0
            and not exists (select from availability_override o where o.schedule_id = s.id and o.date = chosen.date)
          union all
          select from availability_override o where o.schedule_id = s.id and o.date = chosen.date
            and minute between o.start_minute and o.end_minute - t.durations[1]
            and (minute - o.start_minute) % coalesce(${typeRule('slot_interval_minutes')}, t.durations[1]) = 0)
        and not exists (
          select from busy_time where end_time > chosen.start - interval '1 day'
            and start_time < chosen.start + interval '2 days' and (expires_at is null or expires_at > now())
            and during && tstzrange(
            chosen.start - ${typeRule('buffer_before')} * interval '1 minute',
            chosen.start + (t.durations[1] + ${typeRule('buffer_after')}) * interval '1 minute'))
        and (least(s.daily_limit, t.daily_limit, s.weekly_limit, t.weekly_limit) is null or not exists (
          select from busy_time where source is null and date_trunc('week', start_time) = date_trunc('week', chosen.start)
          having count(*) >= s.weekly_limit
            or count(*) filter (where appointment_type_id = t.id) >= t.weekly_limit
            or count(*) filter (where start_time::date = chosen.start::date) >= s.daily_limit
            or count(*) filter (where start_time::date = chosen.start::date and appointment_type_id = t.id)
              >= t.daily_limit))),
    known as (
      select id from client where lower(email) = lower($4) and deleted_at is null
      order by archived_at is not null, id limit 1),
    counted as (select count(*) as clients from client where deleted_at is null and archived_at is null),
    added as (
      insert into client (coach_id, name, email, timezone, created_at, updated_at)
      select $1, $3, $4, $6, now(), now() from type, counted where not exists (select from known)
        and clients < case plan when 'free' then 1 when 'pro' then 10 else 2147483647 end
      returning id, name),
    logged as (
      insert into activity (coach_id, client_id, type, title, description, created_at)
      select $1, id, 'client_added', 'Client added', name, now() from added),
    booked as (
      insert into appointment (coach_id, client_id, appointment_type_id, title, start_time, end_time, timezone, status,
        booked_online, created_at, updated_at)
      select $1, attendee.id, type.id, type.name, start, type.end_time, $6, 'confirmed', true, now(), now()
      from type, (select id from known union all select id from added) as attendee
      returning id),
    planned as (
      insert into appointment_message (coach_id, appointment_id, kind, sequence, lead_minutes, due_at, email, start_time,
        end_time, tentative, created_at)
      select $1, booked.id, kind, 1, lead, coalesce(start - nullif(lead, 0) * interval '1 minute', now()), recipient,
        start, end_time, false, now()
      from booked, type, lateral (
        select 'confirmation' as kind, 0 as lead, $4 as recipient
        union all select 'coach_booked', 0, coach_email
        union all select 'reminder', lead, $4 from unnest(reminder_minutes) as lead
          where start - lead * interval '1 minute' > now()) as messages
      returning id, due_at),
    queued as (
      insert into pgboss.job (name, data, start_after)
      select 'scheduling.send-message', json_build_object('coachId', $1::bigint, 'messageId', id),
        due_at + interval '1 day' from planned)
    select id from booked`,
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
