import { addMonths } from '#app/lib/time.ts'
import { benchMonth, createdName, type BenchData, type Visitor } from './data.ts'
import type { Work } from './load.ts'

export type WorkName = 'list' | 'one' | 'create' | 'stats' | 'purchases' | 'appointments' | 'search' | 'page' | 'client'

/** Each kind of request, asked by all visitors in turn. The same bytes go to the product and to the plain server. */
export function works({ visitors, crowded }: Pick<BenchData, 'visitors' | 'crowded'>): Record<WorkName, Work> {
  return {
    list: work('GET /api/clients?limit=50', 200, visitors, ({ cookie }) => get('/api/clients?limit=50', cookie)),
    one: work('GET /api/clients/{id}', 200, visitors, ({ cookie, clientIds }, turn) =>
      get(`/api/clients/${clientIds[turn % clientIds.length]}`, cookie),
    ),
    create: work('POST /api/clients', 201, visitors, ({ cookie }) => post('/api/clients', cookie, newClient)),
    stats: work('GET /api/dashboard/stats', 200, visitors, ({ cookie }) => get('/api/dashboard/stats', cookie)),
    purchases: work('GET /api/purchases?limit=50', 200, visitors, ({ cookie }) =>
      get('/api/purchases?limit=50', cookie),
    ),
    appointments: work('Appointments of a month', 200, visitors, ({ cookie }) =>
      get(`/api/appointments?from=${benchMonth}-01T00:00:00Z&to=${nextMonth}-01T00:00:00Z`, cookie),
    ),
    search: work('Search of 10,000 records', 200, [crowded], ({ cookie }, turn) =>
      get(`/api/search?q=${encodeURIComponent(terms[turn % terms.length]!)}`, cookie),
    ),
    page: work('HTML /clients, 50 rows', 200, visitors, ({ cookie }) => get('/clients?view=list', cookie)),
    client: work('HTML /clients/{id}', 200, visitors, ({ cookie, clientIds }, turn) =>
      get(`/clients/${clientIds[turn % clientIds.length]}`, cookie),
    ),
  }
}

const nextMonth = addMonths(benchMonth, 1)

/** Some find many, some few, some nothing. */
const terms = ['ines', 'müller 12', 'prospect399', 'zzzzqq']
const newClient = JSON.stringify({
  name: createdName,
  email: 'new.client@example.com',
  phone: '+1 415-555-0100',
  notes: 'Met at the retreat.',
})

/** Bytes are made beforehand, so that asking costs next to nothing. */
function work(
  name: string,
  status: number,
  visitors: Visitor[],
  bytes: (visitor: Visitor, turn: number) => string,
): Work {
  const turns = 4
  const requests = Array.from({ length: turns }, (_, turn) =>
    visitors.map((visitor) => Buffer.from(bytes(visitor, turn))),
  ).flat()
  let at = 0
  return { name, status, next: () => requests[at++ % requests.length]! }
}

const get = (target: string, cookie: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n`

const post = (target: string, cookie: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
