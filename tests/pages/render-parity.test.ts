import { afterAll, beforeAll, expect, test } from 'vitest'
import { flash } from '#app/lib/flash.ts'
import { NewClient } from '#modules/crm/forms.ts'
import { addClient } from '#modules/crm/services/clients.ts'
import { serveBuild, type Built, type Page } from '#tests/support/built-app.ts'
import { aCoach, aHouse, asCoach, type Coach } from '#tests/support/test-app.ts'

const house = aHouse()
let built: Built
let remix: Built
let coach: Coach
let client: number
let roots = 0

beforeAll(async () => {
  const now = () => house.clock.now
  ;[built, remix] = [
    await serveBuild(house.appUrl, { now, onRoot: () => roots++ }),
    await serveBuild(house.appUrl, { now, uncut: true }),
  ]
  coach = await aCoach(house)
  client = await asCoach(
    coach,
    async (ctx) =>
      (
        await addClient(
          ctx,
          NewClient.parse({ name: 'Grace <Hopper>', email: 'grace@example.com', notes: '**Bold** & "quoted"' }),
        )
      ).id,
  )
}, 120_000)
afterAll(() => Promise.all([built?.close(), remix?.close()]))

/** What differs by nature is taken out: what is made anew for each request, the port, and how many routes the page knows beside its own. */
function comparable(
  { status, text, headers: { date: _date, 'content-length': _length, ...headers } }: Page,
  port: number,
) {
  const html = text.replace(/window\.__remixManifest = \{.*?\n\};/s, '')
  const words = JSON.stringify({ status, headers, html })
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'a-request')
    .replaceAll(String(port), 'port')
  return JSON.parse(words)
}

test('every page is to the letter what Remix alone answers, signed in and out', async () => {
  const filled = built.routes
    .filter(({ page }) => page)
    .map(({ path }) => path.replace(':kind', 'client').replaceAll(/:\w+/g, String(client)))
  const more = [
    '/clients?view=list',
    `/clients/${client}?edit`,
    `/clients/${client}?dialog=purchase`,
    `/clients/${client}/`,
    '/CLIENTS',
    '/pipeline?dialog=add',
    '/calendar?view=week',
    '/clients/987654321',
    '/nowhere',
  ]
  const [toast] = flash({ tone: 'success', title: 'Client archived', text: '<b>' }).split(';')
  for (const address of [...filled, ...more]) {
    for (const cookie of [`${coach.cookie}; theme=dark; ${toast}`, '']) {
      roots = 0
      const [ours, theirs] = await Promise.all(
        [built, remix].map(async (one) => comparable(await one.ask(address, { cookie }), one.port)),
      )
      expect(ours, address).toEqual(theirs)
      // Twice: it had failed, and Remix answered after all.
      if (ours.status === 200) expect(roots, `${address} asks its loaders once`).toBe(1)
    }
  }
}, 120_000)
