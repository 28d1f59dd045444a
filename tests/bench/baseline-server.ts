import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { createElement as h, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createDatabaseSigner } from '#db/signatures.ts'
import { htmlToReact } from './html-to-react.ts'

// The server that `npm run bench` compares the product with: node:http and pg, on the same tables with the same row
// level security. Each request awaits the session, begin, set_config, one prepared statement and commit.

type Session = { coach_id: string; plan: string }
type Query = { name: string; text: string; values: unknown[] }

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const { PORT, PAGE_FILE, SECRET_KEY = '' } = process.env
const { signActor } = createDatabaseSigner(SECRET_KEY)
/** The product's own client list, rendered again for each request. */
const createProductPage = PAGE_FILE ? htmlToReact(readFileSync(PAGE_FILE, 'utf8')) : undefined

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error)
    sendJson(response, 500, { message: 'Something went wrong' })
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

process.once('SIGTERM', () => process.exit(0))

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
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

/** `signs`: says who acts, which only changes need. */
async function queryAsTenant<Row extends object>(
  { coach_id: coachId }: Session,
  query: Query,
  { signs = false } = {},
): Promise<Row[]> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query({
      name: 'tenant',
      text: `select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`,
      values: [coachId, signs ? signActor(Number(coachId), null) : ''],
    })
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

async function readClient(request: IncomingMessage): Promise<NewClient> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const client: NewClient = JSON.parse(Buffer.concat(chunks).toString())
  if (!client.name?.trim() || !/^[^@\s]+@[^@\s]+$/.test(client.email ?? '')) throw new Error('validation failed')
  return client
}

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
