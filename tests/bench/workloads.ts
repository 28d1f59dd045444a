import { addMonths } from '#app/lib/time.ts'
import { benchMonth, createdName, type BenchData, type BenchUser } from './data.ts'
import type { Workload } from './load.ts'

export type WorkloadName = 'list' | 'appointments' | 'one' | 'stats' | 'search' | 'create' | 'page' | 'table'

/** The requests of each workload, by all users in turn. Product and baseline get the same bytes. */
export function createWorkloads({
  users,
  largeUser,
}: Pick<BenchData, 'users' | 'largeUser'>): Record<WorkloadName, Workload> {
  return {
    list: createWorkload('GET /api/clients?limit=50', 200, users, ({ cookie }) => get('/api/clients?limit=50', cookie)),
    appointments: createWorkload('Appointments of a month', 200, users, ({ cookie }) =>
      get(`/api/appointments?from=${benchMonth}-01T00:00:00Z&to=${nextMonth}-01T00:00:00Z`, cookie),
    ),
    one: createWorkload('GET /api/clients/{id}', 200, users, ({ cookie, clientIds }, round) =>
      get(`/api/clients/${clientIds[round % clientIds.length]}`, cookie),
    ),
    stats: createWorkload('GET /api/dashboard/stats', 200, users, ({ cookie }) => get('/api/dashboard/stats', cookie)),
    search: createWorkload('Search of 10,000 records', 200, [largeUser], ({ cookie }, round) =>
      get(`/api/search?q=${encodeURIComponent(searchTerms[round % searchTerms.length]!)}`, cookie),
    ),
    create: createWorkload('POST /api/clients', 201, users, ({ cookie }) => post('/api/clients', cookie, newClient)),
    page: createWorkload('HTML /clients, against the same page', 200, users, ({ cookie }) => get(clientList, cookie)),
    table: createWorkload('HTML /clients, against a bare table', 200, users, ({ cookie }) =>
      get(`${clientList}&bench=table`, cookie),
    ),
  }
}

/** The list of 50 clients; the baseline renders the product's HTML again, or with `bench=table` a bare table. */
export const clientList = '/clients?view=list'

const nextMonth = addMonths(benchMonth, 1)

/** Terms with many, some, few and no results. */
const searchTerms = ['ines', 'müller 12', 'prospect399', 'zzzzqq']
const newClient = JSON.stringify({
  name: createdName,
  email: 'new.client@example.com',
  phone: '+1 415-555-0100',
  notes: 'Met at the retreat.',
})

/** Creates the bytes of all requests beforehand, so that sending them costs next to nothing. */
function createWorkload(
  name: string,
  status: number,
  users: BenchUser[],
  toRequest: (user: BenchUser, round: number) => string,
): Workload {
  const rounds = 4
  const requests = Array.from({ length: rounds }, (_, round) =>
    users.map((user) => Buffer.from(toRequest(user, round))),
  ).flat()
  let index = 0
  return { name, status, next: () => requests[index++ % requests.length]! }
}

const get = (target: string, cookie: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n`

function post(target: string, cookie: string, body: string): string {
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\n${headers}\r\n\r\n${body}`
}
