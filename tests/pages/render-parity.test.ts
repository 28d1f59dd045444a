import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageCookies } from '#app/server/pages/page-cookies.ts'
import { NewClient } from '#modules/crm/forms.ts'
import { createClient } from '#modules/crm/services/clients.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { serveBuild, type BuiltApp, type PageResponse } from '#tests/support/built-app.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
let built: BuiltApp
let remix: BuiltApp
let coach: Coach
let client: number
let rootLoads = 0

beforeAll(async () => {
  const now = () => app.clock.now
  ;[built, remix] = [
    await serveBuild(app.appUrl, { now, fastRender: true, onRoot: () => rootLoads++ }),
    await serveBuild(app.appUrl, { now, fastRender: false }),
  ]
  coach = await createCoach()
  client = await inTenant(
    coach,
    async (ctx) =>
      (
        await createClient(
          ctx,
          NewClient.parse({ name: 'Grace <Hopper>', email: 'grace@example.com', notes: '**Bold** & "quoted"' }),
        )
      ).id,
  )
}, 120_000)
afterAll(() => Promise.all([built?.close(), remix?.close()]))

/**
 * Removes what differs between any two requests (ids, port), the routes that the page knows besides its own, and the
 * pieces in which Remix streams the loaders' data.
 */
function comparable(
  { status, text, headers: { date: _date, 'content-length': _length, ...headers } }: PageResponse,
  port: number,
) {
  const html = text
    .replace(/window\.__remixManifest = \{.*?\n\};/s, '')
    .replaceAll(loaderDataScripts, '')
    .replaceAll(/<!--\/?\$-->/g, '')
  const loaderData = [...text.matchAll(loaderDataScripts)]
    .flatMap(([script]) => [...script.matchAll(/enqueue\((".*?")\);/g)])
    .map(([, literal]) => JSON.parse(literal!))
    .join('')
  const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(String(headers['content-security-policy'])) ?? []
  const words = JSON.stringify({ status, headers, html, loaderData })
    .replaceAll(nonce, 'nonce')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'a-request')
    .replaceAll(String(port), 'port')
  return JSON.parse(words)
}

const loaderDataScripts = /<script nonce="[^"]*">window\.__remixContext\.streamController\..*?<\/script>/g

test('fast rendering returns the same pages as Remix, signed in and out', async () => {
  const filled = built.routes
    .filter(({ page }) => page)
    .map(({ path }) => path.replace(':kind', 'client').replaceAll(/:\w+/g, String(client)))
  const more = [
    '/clients?view=list',
    `/clients/${client}?edit`,
    `/clients/${client}?dialog=purchase`,
    `/clients/${client}/`,
    '/CLIENTS',
    '/onboarding?_data=routes%2Fonboarding',
    '/pipeline?dialog=add',
    '/calendar?view=week',
    '/clients/987654321',
    '/nowhere',
  ]
  const context = { platform: app.platform, tenant: null } as unknown as RequestContext
  const cookies = createPageCookies(new Request('http://localhost'), context)
  const [toast] = cookies.toast({ tone: 'success', title: 'Client archived', text: '<b>' }).split(';')
  for (const address of [...filled, ...more]) {
    for (const cookie of [`${coach.cookie}; theme=dark; ${toast}`, '']) {
      rootLoads = 0
      const [ours, theirs] = await Promise.all(
        [built, remix].map(async (one) => comparable(await one.request(address, { cookie }), one.port)),
      )
      expect(ours, address).toEqual(theirs)
      // Two loads would mean that fast rendering failed and Remix rendered the page.
      if (ours.status === 200) expect(rootLoads, `${address} asks its loaders once`).toBe(1)
    }
  }
}, 120_000)
