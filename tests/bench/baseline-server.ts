import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { createElement as h, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'

// The measure of `npm run bench`: what a careful author writes with node:http and pg alone, on the same tables under the same
// row level security. It awaits each statement, prepares each, checks what it is sent, and answers the same JSON.

type Session = { coach_id: string; plan: string }
type Client = { id: string; name: string; email: string; status: string; createdAt: Date } & Record<string, unknown>

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const port = Number(process.env.PORT)

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    sendJson(response, 500, { message: 'Something went wrong' })
  })
}).listen(port, '127.0.0.1', () => console.log('ready'))

process.once('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const session = await sessionOf(request)
  if (!session) return sendJson(response, 401, { message: 'Please sign in.' })
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, section, noun, id] = url.pathname.split('/')
  if (request.method === 'GET' && section === 'clients')
    return sendPage(
      response,
      noun ? clientPage(await wholeClient(session, Number(noun))) : listPage(await shownClients(session)),
    )
  if (noun === 'search') return sendJson(response, 200, await search(session, url.searchParams.get('q') ?? ''))
  if (noun === 'dashboard') return sendJson(response, 200, await stats(session))
  if (noun === 'appointments')
    return sendJson(
      response,
      200,
      await listAppointments(session, url.searchParams.get('from') ?? '', url.searchParams.get('to') ?? ''),
    )
  if (noun === 'purchases')
    return sendJson(response, 200, await listPurchases(session, Number(url.searchParams.get('limit') ?? 50)))
  if (section !== 'api' || noun !== 'clients') return sendJson(response, 404, { message: 'Not found' })
  if (request.method === 'POST') return sendJson(response, 201, await createClient(session, await bodyOf(request)))
  if (!id) return sendJson(response, 200, await listClients(session, Number(url.searchParams.get('limit') ?? 50)))
  const client = await oneClient(session, Number(id))
  return client ? sendJson(response, 200, client) : sendJson(response, 404, { message: 'Client not found' })
}

async function sessionOf(request: IncomingMessage): Promise<Session | undefined> {
  const token = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!token) return undefined
  const { rows } = await pool.query<Session>({
    name: 'session',
    text: 'select coach_id, plan from plain_session($1)',
    values: [createHash('sha256').update(token).digest()],
  })
  return rows[0]
}

async function asTenant<T>({ coach_id: coachId }: Session, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ name: 'tenant', text: `select set_config('app.coach_id', $1, true)`, values: [coachId] })
    const answered = await work(client)
    await client.query('commit')
    client.release()
    return answered
  } catch (error) {
    client.release(true)
    throw error
  }
}

const columns = `id, coach_id as "coachId", name, email, phone, location, profession, timezone, program, status, progress, goals, notes,
  future_goals as "futureGoals", frustrations, fears, failures, converted_at as "convertedAt", converted_from_prospect_id as "convertedFromProspectId",
  total_spent as "totalSpent", archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt"`

function listClients(session: Session, limit: number): Promise<Client[]> {
  return asTenant(session, async (client) => {
    const { rows } = await client.query<Client>({
      name: 'clients',
      text: `select ${columns} from client where deleted_at is null and archived_at is null order by created_at desc, id desc limit $1`,
      values: [limit],
    })
    return rows
  })
}

type Facts = { client_id: string; product: string | null; last: Date | null; next: Date | null }

/** The clients of the list, and what its other columns tell of them. */
function shownClients(session: Session): Promise<{ client: Client; facts: Facts | undefined }[]> {
  return asTenant(session, async (client) => {
    const { rows } = await client.query<Client>({
      name: 'clients',
      text: `select ${columns} from client where deleted_at is null and archived_at is null order by created_at desc, id desc limit $1`,
      values: [50],
    })
    const facts = await client.query<Facts>({
      name: 'client-facts',
      text: `select c.id as client_id,
          (select product_name from purchase where client_id = c.id and deleted_at is null order by purchased_at desc, id desc limit 1) as product,
          (select max(start_time) from appointment where client_id = c.id and deleted_at is null and status <> 'cancelled' and start_time < now()) as last,
          (select min(start_time) from appointment where client_id = c.id and deleted_at is null and status <> 'cancelled' and start_time >= now()) as next
        from unnest($1::bigint[]) c(id)`,
      values: [rows.map(({ id }) => id)],
    })
    const byClient = new Map(facts.rows.map((row) => [row.client_id, row]))
    return rows.map((row) => ({ client: row, facts: byClient.get(row.id) }))
  })
}

function oneClient(session: Session, id: number): Promise<Client | undefined> {
  return asTenant(session, async (client) => {
    const { rows } = await client.query<Client>({
      name: 'client',
      text: `select ${columns} from client where id = $1 and deleted_at is null`,
      values: [id],
    })
    return rows[0]
  })
}

function listPurchases(session: Session, limit: number): Promise<unknown[]> {
  return asTenant(session, async (client) => {
    const { rows } = await client.query({
      name: 'purchases',
      text: `select id, coach_id as "coachId", client_id as "clientId", product_id as "productId", product_name as "productName", amount, status,
        payment_method as "paymentMethod", stripe_payment_intent_id as "stripePaymentIntentId", notes, created_at as "createdAt",
        purchased_at as "purchasedAt", purchased_at as "purchaseDate"
        from purchase where deleted_at is null order by created_at desc, id desc limit $1`,
      values: [limit],
    })
    return rows
  })
}

/** Those that start in the span, with the names that they show. */
function listAppointments(session: Session, from: string, to: string): Promise<unknown[]> {
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) throw new Error('validation failed')
  return asTenant(session, async (client) => {
    const { rows } = await client.query({
      name: 'appointments',
      text: `select a.id, a.coach_id as "coachId", a.client_id as "clientId", c.name as "clientName", a.prospect_id as "prospectId", p.name as "prospectName",
        t.id as "appointmentTypeId", a.title, a.description, a.start_time as "startTime", a.end_time as "endTime", a.timezone, a.status, a.meeting_url as "meetingUrl",
        null as "audioUrl", null as "googleEventId", a.completed_at is not null as "sessionCompleted", a.completed_at as "completedAt", null as "revaiJobId",
        false as "summaryGenerated", 'pending' as "recordingDetectionStatus", 0 as "recordingDetectionAttempts", null as "lastRecordingDetectionAttempt",
        a.created_at as "createdAt", a.updated_at as "updatedAt"
        from appointment a left join client c on c.coach_id = a.coach_id and c.id = a.client_id left join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
        left join appointment_type t on t.coach_id = a.coach_id and t.id = a.appointment_type_id and t.deleted_at is null
        where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null and a.start_time >= $1 and a.start_time < $2 order by a.start_time, a.id`,
      values: [from, to],
    })
    return rows
  })
}

/** One question after the other, as one writes it. */
function stats(session: Session): Promise<unknown> {
  return asTenant(session, async (client) => {
    const one = async (name: string, text: string, values: unknown[] = []) =>
      Number((await client.query<{ value: string }>({ name, text, values })).rows[0]!.value)
    const month = `date_trunc('month', now() at time zone 'Europe/Berlin') at time zone 'Europe/Berlin'`
    return {
      totalClients: await one(
        'stats-clients',
        'select count(*) as value from client where deleted_at is null and archived_at is null',
      ),
      sessionsThisMonth: await one(
        'stats-sessions',
        `select count(*) as value from appointment a left join client c on c.coach_id = a.coach_id and c.id = a.client_id left join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
          where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null and a.status <> 'cancelled' and a.start_time >= ${month} and a.start_time < (${month} + interval '1 month')`,
      ),
      monthlyRevenue: await one(
        'stats-revenue',
        `select coalesce(sum(amount), 0) as value from purchase where deleted_at is null and status = 'completed' and purchased_at >= ${month}`,
      ),
      activeProspects: await one(
        'stats-prospects',
        'select count(*) as value from prospect where deleted_at is null and converted_at is null',
      ),
    }
  })
}

/** The same columns as the product, table after table. */
function search(session: Session, term: string): Promise<unknown> {
  return asTenant(session, async (client) => {
    const clients = await client.query({
      name: 'search-clients',
      text: `select id, name as title, email as subtitle from client where deleted_at is null and strpos(search_text, (select search_key($1))) > 0
        order by archived_at is not null, not starts_with(search_text, (select search_key($1))), search_text, id limit 8`,
      values: [term],
    })
    const prospects = await client.query({
      name: 'search-prospects',
      text: `select id, name as title, email as subtitle from prospect where deleted_at is null and converted_at is null and strpos(search_text, (select search_key($1))) > 0
        order by not starts_with(search_text, (select search_key($1))), search_text, id limit 8`,
      values: [term],
    })
    const appointments = await client.query({
      name: 'search-appointments',
      text: `select a.id, a.title, c.name as subtitle from appointment a left join client c on c.coach_id = a.coach_id and c.id = a.client_id
        where a.deleted_at is null and c.deleted_at is null and (strpos(a.search_text, (select search_key($1))) > 0 or strpos(c.search_text, (select search_key($1))) > 0)
        order by a.start_time desc, a.id desc limit 8`,
      values: [term],
    })
    return { results: [...clients.rows, ...prospects.rows, ...appointments.rows].slice(0, 8) }
  })
}

type WholeClient = {
  client: Client
  purchases: Purchase[]
  total: { count: string; amount: string }
  contacts: Entry[]
  activities: Entry[]
  appointments: Appointment[]
}
type Entry = { id: string; title: string; text: string | null; at: Date }
type Purchase = Entry & { amount: string; method: string | null }
type Appointment = Entry & { until: Date }

/** What a client's page tells, one question after the other. */
function wholeClient(session: Session, id: number): Promise<WholeClient> {
  return asTenant(session, async (client) => {
    const rows = async <Row extends object>(name: string, text: string): Promise<Row[]> =>
      (await client.query({ name, text, values: [id] })).rows
    const [found] = await rows<Client>('client', `select ${columns} from client where id = $1 and deleted_at is null`)
    const purchases = await rows<Purchase>(
      'client-purchases',
      `select id, product_name as title, status as text, purchased_at as at, amount, payment_method as method from purchase where client_id = $1 and deleted_at is null order by purchased_at desc, id desc limit 16`,
    )
    const [total] = await rows<WholeClient['total']>(
      'client-total',
      'select count(*), coalesce(sum(amount), 0) as amount from purchase where client_id = $1 and deleted_at is null',
    )
    const contacts = await rows<Entry>(
      'client-contacts',
      `select id, name as title, content as text, interaction_date as at from client_interaction where client_id = $1 and deleted_at is null order by interaction_date desc, id desc limit 16`,
    )
    const activities = await rows<Entry>(
      'client-activities',
      `select id, title, description as text, created_at as at from activity where client_id = $1 order by created_at desc, id desc limit 16`,
    )
    const appointments = await rows<Appointment>(
      'client-appointments',
      `select id, title, status as text, start_time as at, end_time as until from appointment where client_id = $1 and deleted_at is null order by start_time desc, id desc limit 16`,
    )
    return { client: found!, purchases, total: total!, contacts, activities, appointments }
  })
}

type NewClient = { name: string; email: string; phone?: string; notes?: string }

/** Every coach of the bench is on Premium, so the plan has no limit to count against. */
function createClient(session: Session, input: NewClient): Promise<Client> {
  return asTenant(session, async (client) => {
    if (session.plan !== 'premium') throw new Error('the plan has a limit')
    const { rows } = await client.query<Client>({
      name: 'add-client',
      text: `insert into client (coach_id, name, email, phone, notes, created_at, updated_at) values ($1, $2, $3, $4, $5, now(), now()) returning ${columns}`,
      values: [session.coach_id, input.name, input.email, input.phone ?? null, input.notes ?? null],
    })
    await client.query({
      name: 'add-activity',
      text: `insert into activity (coach_id, client_id, type, title, description, created_at) values ($1, $2, 'client_added', 'Client added', $3, now())`,
      values: [session.coach_id, rows[0]!.id, input.name],
    })
    return rows[0]!
  })
}

async function bodyOf(request: IncomingMessage): Promise<NewClient> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: NewClient = JSON.parse(Buffer.concat(chunks).toString())
  if (!body.name?.trim() || !/^[^@\s]+@[^@\s]+$/.test(body.email ?? '')) throw new Error('validation failed')
  return body
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

function sendPage(response: ServerResponse, page: ReactElement): void {
  const text = `<!doctype html>${renderToString(page)}`
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'Europe/Berlin',
})
const heads = ['Name', 'Date Joined', 'Latest Product', 'Last Appointment', 'Next Appointment', 'Status', 'Actions']
const badges: Record<string, string> = {
  active: 'badge badge-success',
  completed: 'badge badge-info',
  pending: 'badge badge-warning',
  inactive: 'badge',
}

/** The table of the product's page, element for element, and nothing around it. */
function listPage(clients: { client: Client; facts: Facts | undefined }[]): ReactElement {
  return h(
    'html',
    { lang: 'en' },
    h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, 'Clients')),
    h(
      'body',
      null,
      h(
        'main',
        null,
        h('h1', null, 'Clients'),
        h(
          'table',
          { className: 'table' },
          h('caption', { className: 'sr-only' }, 'Clients'),
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              heads.map((head) => h('th', { key: head, scope: 'col' }, head)),
            ),
          ),
          h(
            'tbody',
            null,
            clients.map((row) => h(Row, { key: row.client.id, ...row })),
          ),
        ),
      ),
    ),
  )
}

function Row({
  client: { id, name, email, status, createdAt },
  facts,
}: {
  client: Client
  facts: Facts | undefined
}): ReactElement {
  const joined = day.format(createdAt)
  return h(
    'tr',
    { className: 'max-xl:[&>:first-child]:!pl-0 max-xl:[&>:last-child]:!pr-0' },
    h(
      'td',
      { className: 'max-xl:min-w-0 max-xl:flex-1' },
      h(
        'a',
        { href: `/clients/${id}`, className: 'flex min-w-0 items-center gap-3 rounded-md' },
        h('span', { className: 'avatar', style: { '--h': hueOf(name) }, 'aria-hidden': true }, initials(name)),
        h(
          'span',
          { className: 'min-w-0' },
          h('strong', { className: 'block truncate' }, name),
          h('span', { className: 'block truncate text-sm text-ink-3' }, email),
          h('span', { className: 'block truncate text-sm text-ink-3 xl:hidden' }, `Joined ${joined}`),
        ),
      ),
    ),
    h('td', { className: 'num max-xl:hidden' }, joined),
    h('td', { className: 'max-xl:hidden' }, facts?.product ?? '–'),
    h('td', { className: 'num max-xl:hidden' }, facts?.last ? day.format(facts.last) : '–'),
    h(
      'td',
      { className: 'num max-xl:hidden' },
      facts?.next ? `${near.format(facts.next)}, ${time.format(facts.next)}` : '–',
    ),
    h(
      'td',
      { className: 'max-xl:self-start max-xl:!pt-0.5' },
      h('span', { className: badges[status] }, status[0]!.toUpperCase() + status.slice(1)),
    ),
    h(
      'td',
      null,
      h(
        'a',
        {
          href: `/clients/${id}`,
          role: 'button',
          'aria-haspopup': 'menu',
          'aria-label': `Actions for ${name}`,
          'data-menu': id,
          className: 'btn btn-ghost btn-sm btn-icon',
        },
        h('svg', { className: 'i', 'aria-hidden': true }, h('use', { href: '#more' })),
      ),
    ),
  )
}

const near = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'Europe/Berlin',
})
const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'Europe/Berlin' })
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
const dollars = (cents: string): string =>
  `$${(Number(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
const sign = (name: string, more = '') =>
  h('svg', { className: `i ${more}`, 'aria-hidden': true }, h('use', { href: `#${name}` }))

type Told = {
  key: string
  kind: 'Purchases' | 'Contact' | 'Changes' | 'Sessions'
  title: string
  to: string | null
  text: string
  at: Date
}

/** The cards of the product's page, element for element, and nothing around them. */
function clientPage({ client, purchases, total, contacts, activities, appointments }: WholeClient): ReactElement {
  const here = `/clients/${client.id}`
  const text = (name: string): string => String(client[name] ?? '–')
  const told: Told[] = [
    ...purchases.map(
      ({ id, title, amount, text: status, method, at }): Told => ({
        key: `p${id}`,
        kind: 'Purchases',
        title: `${title}, ${dollars(amount)}`,
        to: `${here}?dialog=edit-purchase&purchase=${id}`,
        text: [status, method].filter(Boolean).join(', '),
        at,
      }),
    ),
    ...contacts.map(
      ({ id, title, text: words, at }): Told => ({
        key: `c${id}`,
        kind: 'Contact',
        title,
        to: `${here}?dialog=interaction&interaction=${id}`,
        text: words ?? '',
        at,
      }),
    ),
    ...activities.map(
      ({ id, title, text: words, at }): Told => ({
        key: `a${id}`,
        kind: 'Changes',
        title,
        to: null,
        text: words ?? '',
        at,
      }),
    ),
    ...appointments.map(
      ({ id, title, text: status, at, until }): Told => ({
        key: `s${id}`,
        kind: 'Sessions',
        title,
        to: `/calendar?dialog=appointment&appointment=${id}`,
        text: `${capital(status!)}, ${time.format(at)} – ${time.format(until)}`,
        at,
      }),
    ),
  ]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, 15)
  const days = Map.groupBy(told, ({ at }) => day.format(at))
  const fact = (label: string, value: string | ReactElement) =>
    h(
      'div',
      { key: label, className: 'flex justify-between gap-4 py-2' },
      h('dt', { className: 'shrink-0 text-ink-3' }, label),
      h('dd', { className: 'min-w-0 text-right wrap-anywhere' }, value),
    )
  const button = (label: string, to: string, icon: string, tone = 'secondary') =>
    h(
      'a',
      { className: `btn btn-${tone} max-sm:!w-11 max-sm:!px-0`, href: to },
      sign(icon, 'max-sm:!size-5'),
      h('span', { className: 'max-sm:sr-only' }, label),
    )
  const words = (name: string, more = '') =>
    h(
      'div',
      { className: `prose max-w-prose ${more}` },
      text(name)
        .split('\n')
        .map((line, at) => h('p', { key: at }, line)),
    )
  return h(
    'html',
    { lang: 'en' },
    h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, client.name)),
    h(
      'body',
      null,
      h(
        'main',
        null,
        h('a', { className: 'btn btn-ghost btn-sm -ml-2.5 mb-3', href: '/clients' }, sign('back'), 'Back to clients'),
        h(
          'header',
          { className: 'mb-7 flex flex-wrap items-center gap-x-5 gap-y-4' },
          h(
            'span',
            null,
            h(
              'span',
              { className: 'avatar avatar-xl', style: { '--h': hueOf(client.name) }, 'aria-hidden': true },
              initials(client.name),
            ),
          ),
          h(
            'div',
            { className: 'min-w-0 flex-1 basis-64' },
            h('h1', { className: 'title wrap-anywhere' }, client.name),
            h(
              'div',
              { className: 'mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3' },
              h('span', { className: badges[client.status] }, capital(client.status)),
              h(
                'span',
                { className: 'flex items-center gap-2' },
                h(
                  'div',
                  {
                    className: 'progress w-24',
                    role: 'progressbar',
                    'aria-label': 'Progress',
                    'aria-valuenow': Number(client.progress),
                    'aria-valuemin': 0,
                    'aria-valuemax': 100,
                  },
                  h('i', { style: { width: `${text('progress')}%` } }),
                ),
                h('span', { className: 'num' }, text('progress'), '%'),
              ),
            ),
          ),
          h(
            'div',
            { className: 'flex flex-wrap gap-2' },
            button('Add Purchase', `${here}?dialog=purchase`, 'bag'),
            button('Schedule Session', `${here}?dialog=schedule`, 'calendar'),
            h(
              'form',
              { method: 'post', action: here },
              h(
                'button',
                {
                  name: 'intent',
                  value: 'archive',
                  type: 'submit',
                  className: 'btn btn-secondary max-sm:!w-11 max-sm:!px-0',
                },
                sign('archive'),
                h('span', { className: 'max-sm:sr-only' }, 'Archive'),
              ),
            ),
            button('Delete', `${here}?dialog=delete`, 'trash'),
            button('Edit', `${here}?edit`, 'pencil', 'primary'),
          ),
        ),
        h(
          'div',
          { className: 'grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]' },
          h(
            'div',
            { className: 'grid min-w-0 content-start gap-6 max-lg:order-2 lg:row-span-2' },
            h(
              'section',
              { className: 'card px-5 pb-2 pt-4', 'aria-labelledby': 'information' },
              h('h2', { id: 'information', className: 'h2 mb-1' }, 'Client Information'),
              h(
                'dl',
                { className: 'rows' },
                fact('Email', h('a', { className: 'link', href: `mailto:${client.email}` }, client.email)),
                fact('Phone', h('span', { className: 'num' }, text('phone'))),
                ['location', 'profession', 'timezone'].map((name) => fact(capital(name), text(name))),
                fact('Client since', day.format(client.createdAt)),
              ),
              h(
                'p',
                { className: '-mx-5 border-t border-line-soft px-5 pb-1 pt-2.5' },
                h('a', { className: 'link text-sm', href: `/history/client/${client.id}` }, 'History'),
              ),
            ),
            h(
              'section',
              { className: 'card overflow-hidden', 'aria-label': 'Purchase History' },
              h(
                'div',
                { className: 'card-head' },
                h('h2', { className: 'h2' }, 'Purchase History'),
                h('a', { className: 'link text-sm', href: `${here}/purchases` }, 'View all'),
              ),
              h(
                'ul',
                { 'aria-label': 'Latest purchases', className: 'rows border-t border-line-soft' },
                purchases.slice(0, 3).map(({ id, title, amount, text: status, at }) =>
                  h(
                    'li',
                    { key: id },
                    h(
                      'a',
                      {
                        className: 'flex items-start justify-between gap-3 px-5 py-3 -outline-offset-2 hover:bg-hover',
                        href: `${here}?purchase=${id}&dialog=edit-purchase`,
                      },
                      h(
                        'span',
                        { className: 'min-w-0' },
                        h('span', { className: 'block truncate font-semibold' }, title),
                        h('span', { className: 'block text-sm text-ink-3' }, day.format(at)),
                      ),
                      h(
                        'span',
                        { className: 'grid shrink-0 justify-items-end gap-0.5' },
                        h('span', { className: 'num font-medium' }, dollars(amount)),
                        h('span', { className: 'badge badge-success' }, capital(status!)),
                      ),
                    ),
                  ),
                ),
              ),
              h(
                'p',
                {
                  className:
                    'flex flex-wrap justify-between gap-x-3 border-t border-line-soft px-5 py-3 text-sm text-ink-3',
                },
                Number(total.count) > 3 && h('span', null, `+${Number(total.count) - 3} more`),
                h('span', { className: 'ml-auto' }, h('span', { className: 'num' }, 'Total ', dollars(total.amount))),
              ),
            ),
            h(
              'section',
              { className: 'card px-5 pb-2 pt-4', 'aria-labelledby': 'contact' },
              h(
                'div',
                { className: 'mb-2 flex items-center justify-between gap-3' },
                h('h2', { id: 'contact', className: 'h2' }, 'Recent Contact'),
                h(
                  'a',
                  {
                    'aria-label': 'Add interaction',
                    className: 'btn btn-ghost btn-sm btn-icon -mr-1.5',
                    href: `${here}?dialog=interaction`,
                  },
                  sign('plus'),
                ),
              ),
              contacts.length === 0 && h('p', { className: 'pb-3 text-ink-3' }, 'No contact written down yet.'),
              h(
                'ol',
                null,
                contacts
                  .slice(0, 3)
                  .map(({ id, title, text: said, at }) =>
                    h(
                      'li',
                      { key: id, className: 'py-2.5' },
                      h('a', { className: 'font-medium', href: `${here}?dialog=interaction&interaction=${id}` }, title),
                      h('span', { className: 'num text-sm text-ink-3' }, day.format(at)),
                      said && h('p', { className: 'line-clamp-2 text-ink-2' }, said),
                    ),
                  ),
              ),
            ),
          ),
          h(
            'div',
            { className: 'grid min-w-0 content-start gap-6' },
            h(
              'section',
              { className: 'card px-5 pb-5 pt-4', 'aria-labelledby': 'goals' },
              h('h2', { id: 'goals', className: 'h2 mb-1.5' }, 'Client Goals'),
              words('goals', '!text-[1.1875rem] !leading-7'),
            ),
            h(
              'section',
              { className: 'card px-5 pb-5 pt-4', 'aria-labelledby': 'notes' },
              h(
                'div',
                { className: 'mb-2 flex items-center justify-between gap-3' },
                h('h2', { id: 'notes', className: 'h2' }, 'Session Notes & Observations'),
                h(
                  'span',
                  { className: 'shrink-0 text-sm text-ink-3' },
                  'Edited ',
                  day.format(client.updatedAt as Date),
                ),
              ),
              words('notes'),
            ),
            h(
              'section',
              { className: 'card overflow-hidden', 'aria-labelledby': 'four' },
              h('h2', { id: 'four', className: 'h2 px-5 py-3.5' }, '4Fs Assessment Framework'),
              h(
                'div',
                { className: 'grid gap-px border-t border-line-soft bg-line-soft sm:grid-cols-2' },
                Object.entries(fourFs).map(([name, label]) =>
                  h(
                    'div',
                    { key: name, className: 'min-w-0 bg-surface p-5' },
                    h(
                      'h3',
                      { className: 'mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2' },
                      sign(name, '!size-3.5 text-ink-3'),
                      label,
                    ),
                    h('p', { className: 'text-ink-3' }, text(name)),
                  ),
                ),
              ),
            ),
          ),
          h(
            'div',
            { className: 'min-w-0 max-lg:order-3' },
            h(
              'section',
              { id: 'timeline', className: 'card scroll-mt-20 overflow-hidden', 'aria-label': 'Timeline' },
              h(
                'div',
                { className: 'flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5' },
                h('h2', { className: 'h2' }, 'Timeline'),
                h(
                  'nav',
                  { 'aria-label': 'Show in the timeline', className: 'flex flex-wrap gap-x-4 gap-y-1 text-sm' },
                  h(
                    'a',
                    { 'aria-current': true, className: 'hit rounded-sm font-semibold text-ink', href: here },
                    'All',
                  ),
                  [...new Set(told.map(({ kind }) => kind))].sort().map((kind) =>
                    h(
                      'a',
                      {
                        key: kind,
                        className: 'hit rounded-sm text-ink-2 hover:text-ink',
                        href: `${here}?kind=${kind}`,
                      },
                      kind,
                    ),
                  ),
                ),
              ),
              [...days].map(([date, entries]) =>
                h(
                  'section',
                  { key: date, 'aria-label': date, className: 'border-t border-line-soft px-5 pb-1 pt-3' },
                  h('h3', { className: 'num text-sm text-ink-3' }, date),
                  h(
                    'ul',
                    null,
                    entries.map(({ key, kind, title, to, text: said }) =>
                      h(
                        'li',
                        { key, className: 'flex gap-3 py-2.5' },
                        h(
                          'span',
                          {
                            className:
                              'mt-0.5 grid size-7 shrink-0 place-items-center rounded-full bg-sunken text-ink-2',
                          },
                          sign(kind, '!size-3.5'),
                          h('span', { className: 'sr-only' }, kind),
                        ),
                        h(
                          'div',
                          { className: 'min-w-0 flex-1' },
                          h(
                            'p',
                            { className: 'font-medium wrap-anywhere' },
                            to ? h('a', { className: 'rounded-sm hover:underline', href: to }, title) : title,
                          ),
                          said && h('p', { className: 'line-clamp-3 max-w-prose text-ink-2 wrap-anywhere' }, said),
                        ),
                      ),
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  )
}

const fourFs = { futureGoals: 'Future Goals', frustrations: 'Frustrations', fears: 'Fears', failures: 'Past Failures' }
const initials = (name: string): string =>
  name
    .split(' ')
    .slice(0, 2)
    .map((part) => part[0])
    .join('')
const hueOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7)
