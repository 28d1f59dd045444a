import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modules } from '#modules/registry.ts'
import { sendResetEmail } from '#tenants/accounts/jobs.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import { listOutbox } from '#tenants/mail.ts'
import { serveBuild, type BuiltApp, type PageResponse } from '#tests/support/built-app.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { png } from '#tests/support/images.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp({ MAIL_FROM: 'no-reply@mail.example' })
let built: BuiltApp
let coach: Coach
const host = 'coaching.her-name.example'
/** Scripts read paths with a base of their own, `localhost.invalid`. */
const platformName = /.{0,80}(attune|localhost(?!\.invalid)).{0,40}/i

beforeAll(async () => {
  built = await serveBuild(app.appUrl, { now: () => app.clock.now })
  coach = await createCoach({
    subdomain: 'her-name',
    businessName: 'Winter Coaching',
    bio: 'I work with people in the middle of a career.',
    primaryColor: '#0f766e',
  })
  const ctx = await contextFor(coach)
  for (const module of modules) await module.seed?.(ctx, { which: 'second', now: app.clock.now })
  await inTenant(coach, (tx) => saveImage(tx, 'logo', png(2, 2)))
  await inTenant(coach, (tx) =>
    tx.query({
      name: 'test.set-domain',
      text: 'update account set custom_domain = $2 where id = $1',
      values: [coach.id, host],
    }),
  )
}, 120_000)
afterAll(() => built?.close())

/** The headers of a response with their names, and its body. */
const toText = ({ headers, text }: PageResponse): string => `${JSON.stringify(headers)}\n${text}`

/** The addresses on this host that a page names. */
function listLinks(text: string): string[] {
  const origins = `https?://${host.replaceAll('.', '\\.')}(?::\\d+)?`
  return [...text.matchAll(new RegExp(`(?:href|src|action|content|loc)(?:="|>)(?:${origins})?(/[^"#<>\\s]*)`, 'g'))]
    .map(([, path]) => path!.replaceAll('&amp;', '&'))
    .filter((path) => !path.startsWith('//'))
}

/** Opens every page and file that a visitor finds, and those that nobody links. */
async function crawl(): Promise<Map<string, PageResponse>> {
  const unlinked = [
    '/nowhere',
    '/uploads/x',
    '/api/nothing',
    '/api/openapi.json',
    '/auth',
    '/auth/forgot',
    '/auth?next=/x',
  ]
  const open = [
    '/',
    '/robots.txt',
    '/favicon.ico',
    '/sitemap.xml',
    '/handover',
    '/nowhere.data',
    '/invoice/x',
    '/shared/x',
    ...unlinked,
  ]
  const seen = new Map<string, PageResponse>()
  for (let path = open.shift(); path !== undefined && seen.size < 300; path = open.shift()) {
    const page = path.split('?')[0]!
    // Calendars link to every day: three pages of each kind tell as much.
    const alike = [...seen.keys()].filter((other) => other.split('?')[0] === page).length
    if (seen.has(path) || alike >= 3) continue
    const response = await built.request(path, { host })
    seen.set(path, response)
    const type = response.headers['content-type'] ?? ''
    if (/html|xml|plain/.test(type)) open.push(...listLinks(response.text))
    if (response.headers.location?.startsWith('/')) open.push(response.headers.location)
  }
  return seen
}

test('on Premium nothing on the domain of a coach names the platform or its host', async () => {
  const seen = await crawl()
  const paths = [...seen.keys()]
  expect(paths).toEqual(expect.arrayContaining(['/', '/auth', '/nowhere', '/sitemap.xml', '/api/openapi.json']))
  expect(paths.filter((path) => /^\/assets\/.*\.(js|css)$/.test(path)).length).toBeGreaterThan(3)
  const named = [...seen].map(([path, response]) => [path, platformName.exec(toText(response))?.[0]])
  expect(named.filter(([, text]) => text !== undefined)).toEqual([])
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
  const [email] = await listOutbox(app.platform.config)
  expect(email!.from).toBe('Winter Coaching <no-reply@mail.example>')
  expect(JSON.stringify({ ...email, to: '' })).not.toMatch(/attune/i)
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

test('below Premium the platform is named in the footer of the subdomain', async () => {
  await setPlan(coach, 'pro')
  const { text } = await built.request('/', { host: 'her-name.localhost' })
  expect(text).toMatch(/Powered by(<!-- -->)? *<a[^>]*>Attune<\/a>/)
  await setPlan(coach, 'premium')
})
