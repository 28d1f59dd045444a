import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { serveBuild, type BuiltApp, type PageResponse } from '#tests/support/built-app.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { listTenantTables } from '#tests/support/row-security.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants, leakMarker, tenantFingerprint, type TwoTenants } from '#tests/support/two-tenants.ts'

// The built portal over HTTP: every page and form with one client's session and the ids of another client of the same
// coach, and of another coach.

const app = createTestApp()
/** Is in every text about another client of Ada's. */
const siblingMarker = 'canary9c1'
let built: BuiltApp
let tenants: TwoTenants
let own: number
let cookie: string
let host: string
/** Ids of rows of other clients of Ada's, and of Bea's: one of each table. */
let ids: number[]

beforeAll(async () => {
  // The built server has the real clock.
  app.clock.now = new Date()
  tenants = await createTwoTenants(app)
  const { ada } = tenants
  ;({ own, ids } = await markSiblings(ada.id))
  cookie = `portal=${await createPortalSession(ada, own)}`
  built = await serveBuild(app.appUrl)
  host = `${ada.subdomain}.localhost:${built.port}`
}, 120_000)
afterAll(() => built?.close())

/** Marks each text that belongs to another client than the one with the most rows. */
async function markSiblings(coachId: number): Promise<{ own: number; ids: number[] }> {
  return asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    const { rows } = await db.query<{ id: string }>(
      `select c.id from client c where c.coach_id = $1 and c.deleted_at is null
        order by (select count(*) from appointment a where a.coach_id = $1 and a.client_id = c.id) desc, c.id limit 1`,
      [coachId],
    )
    const client = Number(rows[0]!.id)
    const found: number[] = []
    for (const table of await listTenantTables(db)) {
      const key = table === 'client' ? 'id' : 'client_id'
      const { rows: columns } = await db.query<{ name: string; isText: boolean }>(
        `select column_name as name, data_type = 'text' and is_generated = 'NEVER' as "isText"
          from information_schema.columns where table_schema = 'public' and table_name = $1`,
        [table],
      )
      if (!columns.some(({ name }) => name === key)) continue
      for (const { name } of columns.filter(({ isText }) => isText)) {
        await db.query('begin')
        await db
          .query(`update "${table}" set "${name}" = "${name}" || ' ${siblingMarker}.${table}' where ${key} <> $1`, [
            client,
          ])
          .then(
            () => db.query('commit'),
            // A status doesn't accept the marker.
            () => db.query('rollback'),
          )
      }
      const others = await db.query<{ id: string }>(
        `select id from "${table}" where coach_id = $1 and ${key} <> $2 order by id limit 1`,
        [coachId, client],
      )
      found.push(...others.rows.map(({ id }) => Number(id)))
    }
    return { own: client, ids: [...new Set([...found, ...tenants.sampleIds])] }
  })
}

const portalRoutes = () => built.routes.filter(({ path }) => /^\/portal(\/|$)/.test(path))
const fill = (route: string, id: number): string => route.replaceAll(/:\w+/g, String(id))
const dataPath = (target: string): string => `${target}.data`

function expectNoLeak(target: string, { status, text, headers }: PageResponse): void {
  const all = `${text}\n${JSON.stringify(headers)}`
  const marks = all.match(new RegExp(`(${leakMarker}|${siblingMarker})\\.\\w+`, 'g')) ?? []
  expect([target, status < 500, [...new Set(marks)]]).toEqual([target, true, []])
}

test('the client sees their own page, and the marker of others is detectable', async () => {
  const page = await built.request('/portal', { cookie, host })
  expect(page.status).toBe(200)
  expect(page.text).toContain('Hello ')
  expectNoLeak('/portal', page)
  const coach = await built.request('/clients', { cookie: tenants.ada.cookie })
  expect(coach.text).toContain(siblingMarker)
})

test('every page of a module is tried', () => {
  const declared = modules.flatMap(({ routes = [] }) => routes.filter(({ layout }) => layout === 'portal'))
  expect(portalRoutes().map(({ path }) => path)).toEqual(expect.arrayContaining(declared.map(({ path }) => `/${path}`)))
  expect(declared.length).toBeGreaterThan(0)
})

test('no page shows anything of another client, whatever its URL', async () => {
  for (const { id: routeId, path: route } of portalRoutes())
    for (const id of ids) {
      const plain = fill(route, id)
      const targets = [
        plain,
        `${plain}?id=${id}&client=${id}&q=${siblingMarker}`,
        dataPath(plain),
        `${dataPath(plain)}?_routes=${encodeURIComponent(routeId)}`,
      ]
      for (const target of route.includes(':') || id === ids[0] ? targets : targets.slice(1, 2))
        expectNoLeak(target, await built.request(target, { cookie, host }))
    }
})

test('no form of the portal changes anything of another client or coach', async () => {
  const intents = [
    'complete',
    'reopen',
    'send',
    'save',
    'submit',
    'sign',
    'decline',
    'read',
    'delete',
    'remove',
    'edit',
    'add',
    'measure',
    '',
  ]
  const before = [await tenantFingerprint(app, tenants.bea.id), await fingerprintOfSiblings()]
  for (const { path: route } of portalRoutes().filter(({ acts, path }) => acts && path !== '/portal/sign-out'))
    for (const intent of intents)
      for (const id of ids) {
        const fields = {
          id: String(id),
          clientId: String(id),
          version: '1',
          email: 'x@example.com',
          content: 'Mine',
          value: '5',
        }
        const page = await built.request(fill(route, id), { cookie, host, form: { ...fields, intent } })
        expectNoLeak(route, page)
        // The route has no such form, whatever the id.
        if (page.status === 400 && page.text.includes('Unknown form.')) break
      }
  expect([await tenantFingerprint(app, tenants.bea.id), await fingerprintOfSiblings()]).toEqual(before)
}, 120_000)

/** The rows of other clients of Ada's, as `tenantFingerprint`. */
const fingerprintOfSiblings = (): Promise<string> =>
  asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(tenants.ada.id)])
    const hashes: string[] = []
    for (const table of await listTenantTables(db)) {
      const { rows } = await db.query<{ found: boolean }>(
        `select exists (select 1 from pg_attribute where attrelid = $1::regclass and attname = 'client_id') as found`,
        [table],
      )
      if (!rows[0]!.found) continue
      const result = await db.query<{ all: string }>(
        `select concat(count(*), ' ', coalesce(sum(hashtextextended(concat(ctid, xmin), 0)), 0)) as all
          from "${table}" where client_id <> ${own}`,
      )
      hashes.push(`${table} ${result.rows[0]!.all}`)
    }
    return hashes.join('\n')
  })

test('without a session every page leads to the sign-in page, also with a coach’s cookie or on another host', async () => {
  const open = [
    '/portal/sign-in',
    '/portal/sign-in/:token',
    '/portal/passkey',
    '/portal/sign-out',
    '/portal/app.webmanifest',
  ]
  const bea = `${tenants.bea.subdomain}.localhost:${built.port}`
  for (const { path: route } of portalRoutes().filter(({ path }) => !open.includes(path)))
    for (const request of [
      { host },
      { host, cookie: `portal=${'A'.repeat(43)}` },
      { host, cookie: tenants.ada.cookie },
      { host: bea, cookie },
    ]) {
      const page = await built.request(fill(route, 1), request)
      expect([route, page.status, page.headers.location]).toEqual([
        route,
        302,
        expect.stringMatching(/^\/portal\/sign-in/),
      ])
      expect(page.text).not.toContain(leakMarker)
    }
})

test('there is no portal on the platform’s host, and a client’s cookie opens no page or call of the coach', async () => {
  expect((await built.request('/portal', { cookie })).status).toBe(404)
  for (const target of ['/dashboard', `/clients/${own}`, '/settings'])
    expect([target, (await built.request(target, { cookie, host })).status]).toEqual([target, 302])
  expect((await built.request('/api/clients', { cookie, host })).status).toBe(401)
})
