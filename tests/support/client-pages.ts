import { modules } from '#modules/registry.ts'
import { signIds } from '#tenants/signed-link.ts'
import type { BuiltApp } from './built-app.ts'
import { openPage, type CrawledPage } from './crawl.ts'
import { contextFor, inTenant, type Coach } from './factories.ts'

/** The routes for clients and visitors, and of the files and actions below them. */
export function listClientRoutes(): string[] {
  const routes = modules.flatMap(({ routes: own = [] }) => own)
  const pages = routes.filter(({ layout }) => layout === 'portal' || layout === 'public').map(({ path }) => path)
  const below = routes.filter(
    ({ layout, path }) => layout === 'resource' && pages.some((page) => path.startsWith(`${page}/`)),
  )
  return [...pages, ...below.map(({ path }) => path)].map((path) => `/${path}`)
}

/** The routes of files that the coach downloads, and may give to clients. */
export function listCoachFileRoutes(): string[] {
  const ofClients = listClientRoutes()
  const files = modules.flatMap(({ routes = [] }) => routes.filter(({ layout }) => layout === 'resource'))
  return files.map(({ path }) => `/${path}`).filter((path) => !ofClients.includes(path) && isFile.test(path))
}
const isFile = /\/(pdf|csv|file|export|\w+\.ics)$|^\/calendar-feed/

const toPattern = (route: string): RegExp => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`)

/** The routes that no opened page is of; a page that failed counts only for those that answer no GET. */
export function findUnopened(routes: string[], pages: Map<string, CrawledPage>, failing: string[]): string[] {
  const opened = [...pages].filter(([, { status }]) => status < 400).map(([path]) => path)
  return routes.filter((route) => {
    const pattern = toPattern(route)
    return !(failing.includes(route) ? [...pages.keys()] : opened).some((path) => pattern.test(path))
  })
}

/** The paths of routes whose parameters are those of pages above them, such as the payment of an invoice. */
export const listPathsBelow = (routes: string[], paths: string[]): string[] =>
  routes.flatMap((route) => {
    const [, page = '', rest = ''] = /^(.*\/:\w+)(\/[^:]+)$/.exec(route) ?? []
    return page ? paths.filter((path) => toPattern(page).test(path)).map((path) => path.split('?')[0] + rest) : []
  })

/** Pages by signed links that no email and no page has: the coach copies them, or an action leads there. */
export async function listCopiedPaths(coach: Coach, clientId: number): Promise<string[]> {
  const ctx = await contextFor(coach)
  const select = async (name: string, text: string, values: unknown[]): Promise<number[]> => {
    const rows = await inTenant(coach, (tx) => tx.query<{ id: number }>({ name: `test.copied-${name}`, text, values }))
    return rows.map(({ id }) => id)
  }
  const [booking] = await select(
    'booking-link',
    `insert into booking_link (coach_id, appointment_type_id, client_id, created_at)
      select coach_id, min(id), $2, $3 from appointment_type where coach_id = $1 group by coach_id returning id`,
    [coach.id, clientId, ctx.now()],
  )
  await select(
    'product',
    `update product set online_sale = 'public', slug = 'first-hour' where coach_id = $1 and id = (
      select min(id) from product where coach_id = $1 and is_active and deleted_at is null)`,
    [coach.id],
  )
  const sessions = await select(
    'session',
    `select id from appointment where coach_id = $1 and booked_online and deleted_at is null`,
    [coach.id],
  )
  const payments = await select('payment', 'select id from paid_booking where coach_id = $1', [coach.id])
  const sales = await select('sale', 'select id from sale where coach_id = $1', [coach.id])
  const contracts = await select(
    'contract',
    `select id from contract where coach_id = $1 and client_id = $2 and state = 'completed'`,
    [coach.id, clientId],
  )
  const { platform } = ctx
  const sign = (purpose: string, ...ids: number[]) => signIds(platform, purpose, [coach.id, ...ids])
  const confirmations = sessions.map((id) => platform.signingKeys.sign('booking-confirmation', `${coach.id} ${id}`))
  return [
    `/book/for/${sign('booking-link', booking!)}`,
    '/buy/first-hour',
    ...confirmations.slice(0, 1).map((signed) => `/book/confirmed/${signed}`),
    ...payments.map((id) => `/book/payment/${sign('paid-booking', id)}`),
    ...sales.map((id) => `/sale/${sign('sale', id)}`),
    ...contracts.map((id) => `/contract/${sign('contract', id, 1)}`),
  ]
}

/** The client of a demo practice with the most to see: the first by name. */
export async function findFirstClient(coach: Coach): Promise<number> {
  const [first] = await inTenant(coach, (tx) =>
    tx.query<{ id: number }>({
      name: 'test.first-client',
      text: 'select id from client where coach_id = $1 order by name, id limit 1',
      values: [coach.id],
    }),
  )
  return first!.id
}

/** The numbers of records that have files. */
export async function listFileIds(coach: Coach): Promise<number[]> {
  const rows = await inTenant(coach, (tx) =>
    tx.query<{ id: number }>({
      name: 'test.file-ids',
      text: `select appointment_id as id from session_summary where coach_id = $1
        union select id from form where coach_id = $1 union select id from contract where coach_id = $1
        union (select max(id) from appointment where coach_id = $1) union select id from invoice where coach_id = $1
        union select id from ledger_entry where coach_id = $1 and invoice_id is not null`,
      values: [coach.id],
    }),
  )
  return rows.map(({ id }) => id)
}

/** The file of the first record that has one. */
export async function findFile(
  built: BuiltApp,
  path: string,
  ids: (number | string)[],
  asked: { host: string; cookie: string },
): Promise<CrawledPage | undefined> {
  for (const id of path.includes(':') ? ids : [0]) {
    const file = await openPage(built, path.replaceAll(/:\w+/g, String(id)), asked)
    if (file.status === 200) return file
  }
  return undefined
}
