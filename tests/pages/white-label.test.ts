import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renewFeed } from '#modules/scheduling/calendar-feed/feed.ts'
import { textKinds } from '#modules/scheduling/messages/texts.ts'
import { failCharges } from '#modules/stripe/e2e/failed-charges.ts'
import { modules } from '#modules/registry.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import { sendResetEmail } from '#tenants/accounts/jobs.ts'
import { createSession } from '#tenants/auth/sessions.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { asOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { coachEmailJobs, emailJobs, sendClientEmails } from '#tests/support/client-emails.ts'
import {
  findFile,
  findFirstClient,
  findUnopened,
  listClientRoutes,
  listCoachFileRoutes,
  listCopiedPaths,
  listFileIds,
  listPathsBelow,
} from '#tests/support/client-pages.ts'
import { crawl, listLinks, openPage, type CrawledPage } from '#tests/support/crawl.ts'
import { listClientSubjects } from '#tests/support/email-subjects.ts'
import { readEmail, type ReceivedEmail } from '#tests/support/email-text.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { png } from '#tests/support/images.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const mail = await mailServer()
const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp({ MAIL_FROM: 'no-reply@mail.example', SMTP_URL: mail.url, ...stripe.env })
let built: BuiltApp
let coach: Coach
let clientId: number
/** The coach's account with what clients see there. */
let atStripe: Awaited<ReturnType<typeof failCharges>>
/** The client's in the portal. */
let cookie: string
/** The emails of each job. */
let emails: Map<string, ReceivedEmail[]>
const host = 'coaching.her-name.example'
/** Scripts read paths with a base of their own, `localhost.invalid`. */
const platformName = /attune|localhost(?!\.invalid)/i

beforeAll(async () => {
  coach = await createCoach({
    subdomain: 'her-name',
    businessName: 'Winter Coaching',
    bio: 'I work with people in the middle of a career.',
    primaryColor: '#0f766e',
  })
  const ctx = await contextFor(coach)
  for (const module of modules) await module.seed?.(ctx, { which: 'second', now: app.clock.now })
  await inTenant(coach, (tx) => saveImage(tx, 'logo', png(2, 2)))
  await setDomain(host)
  atStripe = await failCharges(coach, stripe, app.clock)
  clientId = await findFirstClient(coach)
  cookie = `portal=${await createPortalSession(coach, clientId, host)}`
  emails = await sendClientEmails(coach, { clientId, mail })
  const env = { ...stripe.env, DATA_DIR: app.platform.config.dataDir }
  built = await serveBuild(app.appUrl, { now: () => app.clock.now, env })
}, 180_000)
afterAll(async () => {
  await built?.close()
  await stripe.close()
  await mail.close()
})

const setDomain = (domain: string | null) =>
  inTenant(coach, (tx) =>
    tx.query({
      name: 'test.set-domain',
      text: 'update account set custom_domain = $2 where id = $1',
      values: [coach.id, domain],
    }),
  )

/** The texts that name the platform, with the key of each. */
const listNamed = (found: [string, { text: string }][]): [string, string][] =>
  found.flatMap(([key, { text }]) => {
    const named = platformName.exec(text)
    return named ? [[key, text.slice(Math.max(named.index - 80, 0), named.index + 40)]] : []
  })

describe('on Premium nothing names the platform or its host', () => {
  const routes = listClientRoutes()

  test('that visitors and a client find on the domain', async () => {
    const files = [
      '/',
      '/robots.txt',
      '/favicon.ico',
      '/sitemap.xml',
      '/api/openapi.json',
      '/api/nothing',
      '/uploads/x',
    ]
    const pages = ['/auth', '/auth/forgot', '/auth?next=/x', '/handover', '/nowhere', '/nowhere.data', '/portal.data']
    const steps = ['/book?embed=1', '/book/discovery-call?step=details', '/portal/passkey?add']
    const withoutParams = routes.filter((path) => !path.includes(':'))
    const visited = await crawl(built, { host, paths: [...files, ...pages, ...withoutParams] })
    const assets = [...visited].filter(([path]) => path.startsWith('/assets/'))
    expect(assets.filter(([path]) => /\.(js|css)$/.test(path)).length).toBeGreaterThan(3)

    const client = { host, cookie, seen: new Map(assets) }
    const links = [...emails.values()].flat().flatMap((email) => listLinks(email, host))
    await crawl(built, {
      ...client,
      paths: [...withoutParams, ...steps, ...links, ...(await listCopiedPaths(coach, clientId))],
    })
    await crawl(built, { ...client, paths: listPathsBelow(routes, [...client.seen.keys()]) })
    await crawl(built, { ...client, paths: routes.map((path) => path.replaceAll(/:\w+/g, 'x')) })
    expect(listNamed([...visited, ...client.seen])).toEqual([])
    // One sends its file in answer to a button, the other takes files.
    const failing = ['/shared/:token/file', '/form/:token/file']
    expect(findUnopened(routes, client.seen, failing)).toEqual([])
    const [shared] = [...client.seen.keys()].filter((path) => /^\/shared\/[^/]+\/file$/.test(path))
    const file = await openPage(built, shared!, { host, cookie, form: {} })
    expect([file.status, file.text]).toEqual([200, expect.stringContaining('In for four, out for six.')])
    expect(listNamed([['file', file]])).toEqual([])
    const payments = atStripe.list('checkout.session')
    expect(payments.length).toBeGreaterThan(2)
    expect(listNamed(payments.map((page) => [page.id, { text: JSON.stringify(page) }]))).toEqual([])
  })

  test('in any email to clients and visitors', () => {
    const sent = [...emails.values()].flat()
    expect(listNamed(sent.map((email) => [email.subject, email]))).toEqual([])
    for (const { text } of sent) expect(text).toMatch(/^From: Winter Coaching <no-reply@mail\.example>$/m)
    const sending = [...emails].filter(([, own]) => own.length).map(([job]) => job)
    expect([...sending, ...coachEmailJobs].sort()).toEqual(emailJobs.map(({ name }) => name).sort())
    const ofSessions = emails.get('scheduling.send-message')!.map(({ subject }) => subject)
    expect(new Set(ofSessions).size).toBe(Object.keys(textKinds).length)
    const unsent = listClientSubjects().filter(({ pattern }) => !sent.some(({ subject }) => pattern.test(subject)))
    expect(unsent).toEqual([])
  })

  test('in the answers to what is wrong, too large, too much or no longer there', async () => {
    const signedIn = { host, cookie }
    const answers: [string, CrawledPage][] = []
    const ask = async (status: number, path: string, options: Parameters<BuiltApp['request']>[1] & object) => {
      const answer = await openPage(built, path, options)
      expect([path, answer.status]).toEqual([path, status])
      answers.push([path, answer])
    }
    await ask(403, '/contact', { host, form: {}, headers: { origin: 'https://other.example' } })
    await ask(400, '/portal/tasks', { ...signedIn, form: { intent: 'nothing' } })
    await ask(302, '/portal/sign-in', { host, form: { intent: 'send', email: 'nobody' } })
    await ask(413, '/contact', { host, body: 'x'.repeat(1_100_000) })
    await ask(405, '/handover', { host })
    await ask(401, '/api/clients', { host })
    const links = [...emails.values()].flat().flatMap((email) => listLinks(email, host))
    const find = (start: string) => links.find((path) => path.startsWith(start))!
    await asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      await db.query(`update form_submission set expires_at = '2026-03-01' where submitted_at is null`)
      await db.query('update resource_share set revoked_at = created_at')
      await db.query('alter table testimonial rename to testimonials')
      await ask(200, find('/form/'), { host })
      await ask(404, find('/shared/'), { host })
      await ask(500, '/', { host })
      await db.query('alter table testimonials rename to testimonial')
      await ask(404, '/shared/x', { host })
      await db.query('update rate_limit set attempts = 1000000')
      await ask(429, '/shared/x', { host })
      await db.query('delete from rate_limit')
    })
    expect(listNamed(answers)).toEqual([])
  })

  test('in the files that the coach gives to clients, and the calendar that they subscribe to', async () => {
    const session = await createSession(coach.platform, coach.id, { userAgent: null, address: '127.0.0.1' }, host)
    const own = coach.cookie.replace(/=.*/, `=${session}`)
    const feed = (await inTenant(coach, (tx) => renewFeed(tx, { showsDetails: true }))).split('/').at(-1)!
    const formats = ['text', 'vtt', 'pdf', 'summary', 'summary-pdf']
    const ids = [...(await listFileIds(coach)), 'revenue']
    for (const route of listCoachFileRoutes()) {
      const paths = route.includes('session-summaries') ? formats.map((format) => `${route}?format=${format}`) : [route]
      for (const path of paths) {
        const file = await findFile(built, path.replace(':token', feed), ids, { host, cookie: own })
        expect([path, file?.status]).toEqual([path, 200])
        // The policy allows the signed-in coach forms that lead to the platform.
        const { 'content-security-policy': _policy, ...headers } = file!.headers
        const text = file!.text.slice(JSON.stringify(file!.headers).length)
        expect(listNamed([[path, { text: `${JSON.stringify(headers)} ${text}` }]])).toEqual([])
      }
    }
  })
})

test('pages and error pages have the name of the practice', async () => {
  for (const [path, status] of [
    ['/', 200],
    ['/auth', 200],
    ['/nowhere', 404],
    ['/uploads/x', 404],
  ] as const) {
    const response = await built.request(path, { host })
    expect([path, response.status]).toEqual([path, status])
    expect(response.text).toMatch(/<title>[^<]*Winter Coaching<\/title>/)
    expect(response.text).toContain('<link rel="icon"')
  }
})

test('an email has the name of the practice, and nothing else', async () => {
  await sendResetEmail(app.platform, { email: coach.email })
  const { text } = await readEmail((await mail.next()).raw)
  expect(text).toContain('From: Winter Coaching <no-reply@mail.example>')
  expect(text).not.toMatch(/attune/i)
})

test('where no page names an icon, browsers find that of the practice', async () => {
  const { headers, status } = await built.request('/favicon.ico', { host })
  expect([status, headers.location]).toEqual([302, expect.stringMatching(/^\/uploads\/[0-9a-f]{32}$/)])
  const initial = await createCoach({ subdomain: 'plain', businessName: 'Zeitraum' })
  const drawn = await built.request('/favicon.ico', { host: `${initial.subdomain}.localhost` })
  expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  expect(drawn.text).toContain('>Z</text>')
  expect((await built.request('/favicon.ico')).status).toBe(200)
})

test('a client who signed in at the domain is signed in there alone, and at the subdomain there alone', async () => {
  const atSubdomain = `portal=${await createPortalSession(coach, clientId)}`
  const open = async (at: string, session: string) =>
    (await built.request('/portal/account', { host: at, cookie: session })).status
  const subdomain = 'her-name.localhost'
  await setDomain(null)
  expect([await open(subdomain, atSubdomain), await open(subdomain, cookie)]).toEqual([200, 302])
  await setDomain(host)
  expect([await open(host, cookie), await open(host, atSubdomain)]).toEqual([200, 302])
})

describe('the home page', () => {
  test('tells search engines and previews who it is', async () => {
    const { text } = await built.request('/', { host })
    const url = `http://${host}:${built.port}/`
    expect(text).toContain(`<link rel="canonical" href="${url}"/>`)
    expect(text).toContain('<meta property="og:title" content="Winter Coaching"/>')
    expect(text).toMatch(new RegExp(`<meta property="og:image" content="${url}uploads/[0-9a-f]{32}"/>`))
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'ProfessionalService',
      name: 'Winter Coaching',
      url,
      description: 'I work with people in the middle of a career.',
      founder: { '@type': 'Person', name: expect.stringMatching(/^Ada /) },
    })
    const { makesOffer = [] } = JSON.parse(json) as { makesOffer?: { url: string }[] }
    for (const { url: page } of makesOffer)
      expect((await built.request(new URL(page).pathname, { host })).status).toBe(200)
  })

  test('shows the coach beside the practice, to the signed-in coach too where they ask for it', async () => {
    await inTenant(coach, (tx) => saveImage(tx, 'photo', png(2, 2)))
    // A session is valid on the subdomain, not on a domain where it was not made.
    await inTenant(coach, (tx) =>
      tx.query({ text: 'update account set custom_domain = null where id = $1', values: [coach.id] }),
    )
    const subdomain = 'her-name.localhost'
    const { text } = await built.request('/', { host: subdomain })
    expect(text).toMatch(/<img src="\/uploads\/[0-9a-f]{32}"[^>]*>[^/]*<span[^>]*>Ada [^<]+<\/span>/)
    expect(text).not.toContain('Back to the Dashboard')
    const own = await built.request('/?view=public', { host: subdomain, cookie: coach.cookie })
    expect(own.text).toContain('Back to the Dashboard')
    expect((await built.request('/', { host: subdomain, cookie: coach.cookie })).headers.location).toBe('/dashboard')
    expect((await built.request('/?view=public', { cookie: coach.cookie })).headers.location).toBe('/dashboard')
    await inTenant(coach, (tx) =>
      tx.query({ text: 'update account set custom_domain = $2 where id = $1', values: [coach.id, host] }),
    )
  })

  test('shows testimonials as text, and never as reviews of itself', async () => {
    const { text } = await built.request('/', { host })
    expect(text).toContain('I ran ten kilometers without a break.')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    expect(json).not.toMatch(/review|rating|kilometers/i)
  })

  test('has a description without a bio, too', async () => {
    await createCoach({ subdomain: 'no-bio', businessName: 'Quiet Rooms' })
    const { text } = await built.request('/', { host: 'no-bio.localhost' })
    for (const name of ['name="description"', 'property="og:description"'])
      expect(text).toMatch(new RegExp(`<meta ${name} content="Quiet Rooms, coaching with Ada [^"]+"/>`))
  })

  test('has the contact form, whose page search engines leave out', async () => {
    const { text } = await built.request('/', { host })
    expect(text).toMatch(/<form method="post" action="\/contact"/)
    const page = await built.request('/contact', { host })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<meta name="robots" content="noindex"/>')])
    expect(page.text).not.toMatch(/<script/)
    expect((await built.request('/sitemap.xml', { host })).text).not.toContain('/contact')
    expect((await built.request('/contact')).status).toBe(404)
  })

  test('is plain HTML without scripts', async () => {
    const { text } = await built.request('/', { host })
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json")/)
  })

  test('is in the sitemap with what can be booked and bought; secret links are not for search engines', async () => {
    const url = `http://${host}:${built.port}`
    const sitemap = await built.request('/sitemap.xml', { host })
    expect([sitemap.status, sitemap.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const [home, ...linked] = [...sitemap.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc!)
    expect(home).toBe(`${url}/`)
    const { text } = await built.request('/', { host })
    for (const page of linked) expect(text).toContain(`href="${page.slice(url.length)}"`)
    const robots = await built.request('/robots.txt', { host })
    for (const path of ['/invoice/', '/form/', '/contract/', '/sale/', '/portal/sign-in/'])
      expect(robots.text).toContain(`Disallow: ${path}`)
    expect(robots.text).toContain(`Sitemap: ${url}/sitemap.xml`)
    expect((await built.request('/sitemap.xml')).status).toBe(404)
  })
})

describe('below Premium the platform is named', () => {
  const own = 'her-name.localhost'
  const inPages = /Powered by(<!-- -->)? *<a[^>]*>Attune<\/a>/
  beforeAll(async () => {
    await setPlan(coach, 'pro')
    // A document stays as it was printed.
    await runForCoach(app.ownerUrl, coach.id, `delete from invoice_file where coach_id = ${coach.id}`)
  })
  afterAll(() => setPlan(coach, 'premium'))

  test.each(['/', '/book', '/book?embed=1', '/contact', '/auth', '/portal/sign-in', '/portal'])(
    'in the footer of %s',
    async (path) => {
      const session = `portal=${await createPortalSession(coach, clientId)}`
      const { status, text } = await built.request(path, { host: own, cookie: path === '/portal' ? session : '' })
      expect([status, text]).toEqual([200, expect.stringMatching(inPages)])
    },
  )

  test('in both forms of an email', async () => {
    const { run } = emailJobs.find(({ name }) => name === 'portal.email-link')!
    await run(coach.platform, { coachId: coach.id, clientId })
    const { text } = await readEmail((await mail.next()).raw)
    expect(text.match(/^(<p [^>]*>)?Powered by Attune/gm)).toHaveLength(2)
  })

  // Contracts: modules/contracts/contracts.test.ts.
  test.each([
    '/payments/:id/pdf',
    '/payments/receipts/:id',
    '/clients/:id/statement/pdf',
    '/session-summaries/:id/export?format=pdf',
    '/session-summaries/:id/export?format=summary-pdf',
  ])('in the footer of the PDF %s', async (path) => {
    expect(
      (await findFile(built, path, await listFileIds(coach), { host: own, cookie: coach.cookie }))!.text,
    ).toContain('Powered by Attune')
  })
})
