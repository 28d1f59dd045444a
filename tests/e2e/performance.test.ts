import { gzipSync } from 'node:zlib'
import { createLink } from '#modules/resources/services/files.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { summarizeSession } from '#modules/summaries/services/generation.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { type Coach, contextFor, expect, getClients, inTenant, test } from './support/test-app.ts'
import { phone, desktop } from './support/screens.ts'
import { waitForHydration, waitForIdle } from './support/wait-for-idle.ts'
import { slowDownloads } from './support/network.ts'
import { expectNoLongTasks } from './support/frame-timing.ts'

test.use({ ownContext: true })

for (const { at, kilobytes, signedIn } of [
  { at: '/', kilobytes: 100, signedIn: false },
  { at: '/auth', kilobytes: 100, signedIn: false },
  { at: '/auth?tab=register', kilobytes: 100, signedIn: false },
  { at: '/dashboard', kilobytes: 130, signedIn: true },
  { at: '/clients', kilobytes: 130, signedIn: true },
  { at: '/clients?view=cards', kilobytes: 130, signedIn: true },
  { at: '/resources', kilobytes: 130, signedIn: true },
  { at: '/resources/:resource', kilobytes: 130, signedIn: true },
  { at: '/session-summaries', kilobytes: 130, signedIn: true },
  { at: '/session-summaries/:session', kilobytes: 130, signedIn: true },
  { at: '/tasks', kilobytes: 130, signedIn: true },
  { at: '/pipeline', kilobytes: 150, signedIn: true },
  { at: '/calendar', kilobytes: 150, signedIn: true },
  { at: '/clients/:id', kilobytes: 150, signedIn: true },
]) {
  test(`${at} loads at most ${kilobytes} kB of JavaScript, gzipped`, async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    if (signedIn) await coach.signIn(page.context())
    const [client] = await getClients(coach)
    const weights = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        weights.set(
          response.url(),
          response.body().then((body) => gzipSync(body, { level: 9 }).length),
        )
    })
    const resource = at.includes(':resource') && (await inTenant(coach, addResource))
    const session = at.includes(':session') && (await addSession(coach, client!.id))
    const url = at
      .replace(':resource', String(resource))
      .replace(':session', String(session))
      .replace(':id', String(client!.id))
    await page.goto(url, { waitUntil: 'networkidle' })
    const files = await Promise.all(
      [...weights].map(async ([url, weight]) => ({ url: new URL(url).pathname, bytes: await weight })),
    )
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    test.info().annotations.push({ type: 'JavaScript', description: `${(total / 1000).toFixed(1)} kB` })
    expect(total, `is more than nothing`).toBeGreaterThan(0)
    expect(total, files.map(({ url, bytes }) => `${url} ${bytes}`).join('\n')).toBeLessThanOrEqual(kilobytes * 1000)
  })
}

for (const at of ['/portal/sign-in', '/portal', '/portal/account']) {
  test(`${at} loads at most 60 kB of JavaScript, gzipped`, async ({ page, app }) => {
    const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
    const [client] = await getClients(coach)
    if (at !== '/portal/sign-in')
      await page
        .context()
        .addCookies([{ name: 'portal', value: await createPortalSession(coach, client!.id), url: coach.origin }])
    const files: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') files.push(response.body())
    })
    await page.goto(`${coach.origin}${at}`, { waitUntil: 'networkidle' })
    await expect(page).toHaveURL(`${coach.origin}${at}`)
    const inline = await page.locator('script:not([src])').allTextContents()
    const weights = [...(await Promise.all(files)), ...inline].map((source) => gzipSync(source, { level: 9 }).length)
    const total = weights.reduce((sum, bytes) => sum + bytes, 0)
    test.info().annotations.push({ type: 'JavaScript', description: `${(total / 1000).toFixed(1)} kB` })
    expect(total).toBeLessThanOrEqual(60_000)
  })
}

const addResource = async (tx: WriteCtx): Promise<number> =>
  (await createLink(tx, { name: 'Talk', fileUrl: 'https://example.com/talk', type: 'link' })).id

/** A session of yesterday with a transcript and its summary. */
async function addSession(coach: Coach, clientId: number): Promise<number> {
  const content = 'Ada: What has happened?\nGrace: I will send you the plan for the spring by Friday.'
  const id = await inTenant(coach, async (tx) => {
    const at = (hours: number) => new Date(tx.now().getTime() - hours * 3_600_000).toISOString()
    const times = { startTime: at(25), endTime: at(24) }
    const added = await createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, ...times }))
    await completeSession(tx, added.id, { notes: null })
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    await addTranscript(tx, added.id, { source: 'paste', fileName: null, content, field: 'text' })
    return added.id
  })
  await summarizeSession(await contextFor(coach), id)
  return id
}

/** Strings of these packages that survive minification. */
const chunkMarkers = { editing: 'ProseMirror', dragging: 'DndLiveRegion' }

test('the editor and the drag-and-drop code load only on their own pages', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [client] = await getClients(coach)
  let files: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') files.push(request.url())
  })
  const loaded = async (at: string, readySelector?: string) => {
    files = []
    await page.goto(at, { waitUntil: 'networkidle' })
    if (readySelector) await page.locator(readySelector).first().waitFor()
    const sources = await Promise.all(files.map(async (file) => (await page.request.get(file)).text()))
    return Object.entries(chunkMarkers)
      .filter(([, sign]) => sources.some((source) => source.includes(sign)))
      .map(([what]) => what)
  }
  for (const at of ['/', '/auth']) expect(await loaded(at), at).toEqual([])
  await coach.signIn(page.context())
  for (const at of ['/dashboard', '/clients', `/clients/${client!.id}`, '/products', '/purchases'])
    expect(await loaded(at), at).toEqual([])
  expect(await loaded(`/clients/${client!.id}?edit`, '.ProseMirror')).toEqual(['editing'])
  for (const at of ['/pipeline', '/calendar']) expect(await loaded(at), at).toEqual(['dragging'])
})

for (const at of ['/dashboard', '/clients', '/clients?view=cards']) {
  for (const viewport of [desktop, phone]) {
    test(`${at} has no layout shift at ${viewport.width} pixels`, async ({ page, app }) => {
      const coach = await app.createCoach({
        clients: Array.from({ length: 12 }, (_, count) => ({ name: `Client Number ${count}`, goals: 'One\ntwo' })),
      })
      await page.setViewportSize(viewport)
      await page.addInitScript(() => {
        const shifts: string[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
            sources: { node?: Node }[]
          })[]) {
            const moved = entry.sources.map(({ node }) =>
              node instanceof Element ? node.outerHTML.slice(0, 120) : node?.nodeName,
            )
            if (!entry.hadRecentInput) shifts.push(`${entry.value.toFixed(4)} ${moved.join(' | ')}`)
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const openWithoutShift = async () => {
        await page.goto(at, { waitUntil: 'networkidle' })
        await waitForHydration(page)
        await waitForIdle(page)
        expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([])
      }
      await coach.signIn(page.context())
      await openWithoutShift()
      // The HTML comes in pieces, and everything else from the cache.
      await slowDownloads(page, 8000)
      await openWithoutShift()
    })
  }
}

test('with 500 appointments in a month switching views, navigating, opening and moving have no task of 100 ms', {
  tag: '@timing',
}, async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.appointments-many',
      text: `insert into appointment (coach_id, client_id, title, start_time, end_time, timezone, created_at, updated_at)
        select c.coach_id, c.id, 'Session ' || n, start, start + interval '1 hour', 'America/New_York', start, start
        from client c, generate_series(0, 499) as n, lateral (select timestamptz '2094-05-01 12:00Z' + (n / 17) * interval '1 day' + (n % 17) * interval '40 minutes' as start) as at`,
    }),
  )
  await coach.signIn(page.context())
  await page.goto('/calendar?date=2094-05-12')
  await waitForHydration(page)
  await expect(page.getByText('500 sessions.')).toBeVisible()
  await expectNoLongTasks(page, 'to the dashboard and back', async () => {
    await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Quick Actions' }).waitFor()
    await page.goBack()
    await page.getByRole('group', { name: 'Month' }).waitFor()
  })
  await expectNoLongTasks(page, 'to the week and back', async () => {
    await page.getByRole('link', { name: 'Week', exact: true }).click()
    await page.getByRole('region', { name: 'Hours' }).waitFor()
    await page.getByRole('link', { name: 'Month', exact: true }).click()
    await page.getByRole('group', { name: 'Month' }).waitFor()
  })
  await page.getByRole('link', { name: 'Week', exact: true }).click()
  const first = page.getByRole('region', { name: 'Hours' }).locator('[data-appointment]').first()
  await expectNoLongTasks(page, 'lifting, moving, laying back, opening', async () => {
    await first.focus()
    for (const key of ['Space', 'ArrowRight', 'ArrowDown', 'Escape', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

test('with 2,000 clients opening, searching, sorting and paging have no task of 100 ms', { tag: '@timing' }, async ({
  page,
  app,
}) => {
  const coach = await app.createCoach()
  await createManyClients(coach, 2000)
  await coach.signIn(page.context())
  await page.goto('/dashboard')
  await waitForHydration(page)
  const main = page.getByRole('main')
  const search = page.getByRole('searchbox', { name: 'Search clients' })

  for (const view of ['list', 'cards'] as const) {
    await expectNoLongTasks(page, `coming to the ${view}`, async () => {
      await page.getByRole('complementary').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page).toHaveURL('/dashboard')
      await page
        .getByRole('complementary')
        .getByRole('link', { name: /^Clients/ })
        .click()
      await expect(page.getByText('1–50 of 2,000')).toBeVisible()
      if (view === 'cards') {
        await page.getByRole('link', { name: 'Card view' }).click()
        await expect(page).toHaveURL(/view=cards/)
      }
      await expect(main.getByRole('link', { name: /Client Number 2000/ }).first()).toBeVisible()
    })
    await expectNoLongTasks(page, `searching the ${view}`, async () => {
      await search.fill('')
      await expect(page.getByText('of 2,000')).toBeVisible()
      await search.pressSequentially('number 1234')
      await expect(page.getByText('Showing 1 of 1')).toBeVisible()
    })
    await search.fill('')
    await expect(page.getByText('of 2,000')).toBeVisible()
    await expectNoLongTasks(page, `paging the ${view}`, async () => {
      await main.getByRole('link', { name: 'Next' }).click()
      await expect(page.getByText('51–100 of 2,000')).toBeVisible()
      await main.getByRole('link', { name: 'Previous' }).click()
      await expect(page.getByText('1–50 of 2,000')).toBeVisible()
    })
    await expectNoLongTasks(page, `sorting the ${view}`, async () => {
      const controls =
        view === 'list' ? page.getByRole('columnheader') : page.getByRole('navigation', { name: 'Sort by' })
      await controls.getByRole('link', { name: 'Name' }).click()
      await expect(page).toHaveURL(/sort=-?name/)
      await controls.getByRole('link', { name: 'Status' }).click()
      await expect(page).toHaveURL(/sort=-?status/)
    })
  }
})

async function createManyClients(coach: Coach, count: number): Promise<void> {
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'e2e.many',
      text: `insert into client (coach_id, name, email, status, progress, goals, created_at, updated_at)
        select $1, 'Client Number ' || at, 'client' || at || '@example.com', (array['active', 'inactive', 'completed', 'pending'])[1 + at % 4], at % 101,
          'A goal that takes two lines to say, as goals do when somebody thinks about them', now() - make_interval(mins => $2 - at), now() from generate_series(1, $2) at`,
      values: [coach.id, count],
    }),
  )
}
