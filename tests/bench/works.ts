import { createdName, type Visitor } from './data.ts'
import type { Work } from './load.ts'

export type WorkName = 'list' | 'one' | 'create' | 'page'

/** Each kind of request, asked by all visitors in turn. The same bytes go to the product and to the plain server. */
export function works(visitors: Visitor[]): Record<WorkName, Work> {
  return {
    list: work('GET /api/clients?limit=50', 200, visitors, ({ cookie }) => get('/api/clients?limit=50', cookie)),
    one: work('GET /api/clients/{id}', 200, visitors, ({ cookie, clientIds }, turn) => get(`/api/clients/${clientIds[turn % clientIds.length]}`, cookie)),
    create: work('POST /api/clients', 201, visitors, ({ cookie }) => post('/api/clients', cookie, newClient)),
    page: work('HTML /clients, 50 rows', 200, visitors, ({ cookie }) => get('/clients?view=list', cookie)),
  }
}

const newClient = JSON.stringify({ name: createdName, email: 'new.client@example.com', phone: '+1 415-555-0100', notes: 'Met at the retreat.' })

/** Bytes are made beforehand, so that asking costs next to nothing. */
function work(name: string, status: number, visitors: Visitor[], bytes: (visitor: Visitor, turn: number) => string): Work {
  const turns = 4
  const requests = Array.from({ length: turns }, (_, turn) => visitors.map((visitor) => Buffer.from(bytes(visitor, turn)))).flat()
  let at = 0
  return { name, status, next: () => requests[at++ % requests.length]! }
}

const get = (target: string, cookie: string): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n`

const post = (target: string, cookie: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
