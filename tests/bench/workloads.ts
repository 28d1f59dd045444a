import { addMonths, dayMs } from '#app/lib/time.ts'
import { deriveSigningKeys } from '#tenants/auth/signing-keys.ts'
import { bookedMonth, bookedType, visitorName } from './booking-data.ts'
import { benchMonth, createdName, type BenchData, type BenchUser } from './data.ts'
import { createdInvoice } from './invoice-data.ts'
import type { Workload } from './load.ts'

export type WorkloadName =
  | 'list'
  | 'appointments'
  | 'one'
  | 'stats'
  | 'search'
  | 'create'
  | 'payments'
  | 'files'
  | 'invoice'
  | 'page'
  | 'table'
export type VisitorWorkloadName = 'slots' | 'booking'

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
    payments: createWorkload('GET /api/payments?limit=50', 200, users, ({ cookie }) =>
      get('/api/payments?limit=50', cookie),
    ),
    files: createWorkload('GET /api/files?limit=50', 200, users, ({ cookie }) => get('/api/files?limit=50', cookie)),
    invoice: createWorkload('POST /api/payments, an invoice', 201, users, ({ cookie, clientIds }, round) =>
      post(
        '/api/payments',
        cookie,
        JSON.stringify({ clientId: clientIds[round], amount: '450.00', description: createdInvoice }),
      ),
    ),
    page: createWorkload('HTML /clients, against the same page', 200, users, ({ cookie }) => get(clientList, cookie)),
    table: createWorkload('HTML /clients, against a bare table', 200, users, ({ cookie }) =>
      get(`${clientList}&bench=table`, cookie),
    ),
  }
}

/**
 * The requests of visitors, each from another address, because the limits count an address. They book every half hour
 * of each practice once: the product and the baseline never want the same time.
 */
export function createVisitorWorkloads(
  { users, busyUser }: Pick<BenchData, 'users' | 'busyUser'>,
  secret: string,
): Record<VisitorWorkloadName, Workload> {
  const signatures = users.map(({ coachId }) => signBookingForm(secret, coachId))
  let visitor = 0
  const visitorRequest = (head: string, coachId: number): string => {
    const address = [10, (visitor >> 16) & 255, (visitor >> 8) & 255, visitor & 255].join('.')
    visitor++
    return `${head} HTTP/1.1\r\nHost: ${coachHost(coachId)}\r\nX-Forwarded-For: ${address}\r\n`
  }
  let bookings = 0
  const bookNext = (): string => {
    const index = bookings++
    const user = users[index % users.length]!
    const form = new URLSearchParams({
      intent: 'book',
      start: bookingStart(Math.floor(index / users.length)),
      name: visitorName,
      email: `visitor${index}@example.com`,
      signature: signatures[index % users.length]!,
    }).toString()
    const head = visitorRequest(`POST /book/${bookedType.slug}?step=details`, user.coachId)
    return `${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`
  }
  return {
    slots: {
      name: 'Slots of a month with 500 appointments, against the same page',
      status: 200,
      next: () => Buffer.from(`${visitorRequest(`GET ${bookingPage}`, busyUser.coachId)}\r\n`),
    },
    booking: { name: 'Booking by a visitor', status: 302, next: () => Buffer.from(bookNext()) },
  }
}

export const bookingPage = `/book/${bookedType.slug}?month=${bookedMonth}`
export const coachHost = (coachId: number): string => `practice-${coachId}.localhost`

/** As the form of the product, opened five minutes ago. */
const signBookingForm = (secret: string, coachId: number): string =>
  deriveSigningKeys([secret]).sign('booking-form', `${coachId} ${Date.now() - 300_000}`)

/** Half hours within the working hours, from two months on, after all other appointments. */
function bookingStart(index: number): string {
  const perDay = 24
  const day = Math.floor(Date.now() / dayMs) + 60 + Math.floor(index / perDay)
  return new Date(day * dayMs + 6 * 3_600_000 + (index % perDay) * 1_800_000).toISOString()
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
