import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listNeeded } from '#modules/core/extensions.ts'
import { extensions, modules, routeModules } from '#modules/registry.ts'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { createCoach, switchModules, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { isTestedRoute } from '#tests/support/tested-modules.ts'

// The built product over HTTP: every page and download of a module that is switched off.

const app = createTestApp()
let built: BuiltApp
let coach: Coach

beforeAll(async () => {
  // The built server has the real clock.
  app.clock.now = new Date()
  coach = await createCoach({ subdomain: 'switched', businessName: 'Ada Coaching' })
  built = await serveBuild(app.appUrl)
}, 120_000)
afterAll(() => built?.close())

const listRoutes = (needed: string) =>
  built.routes.filter(({ id }) => {
    const module = routeModules.get(id)
    return isTestedRoute(id) && module && listNeeded(extensions.modules, module.id).includes(needed)
  })
const fill = (route: string) => route.replaceAll(/:\w+\??/g, '1')
const host = () => `switched.localhost:${built.port}`

const switchable = modules.filter(({ isSwitchable = true, routes = [] }) => isSwitchable && routes.length)

describe.each(switchable)('without the module $id', ({ id }) => {
  test('its pages, and those of modules that need it, aren’t there for the coach, visitors and forms', async () => {
    await switchModules(coach, { [id]: false })
    const { cookie } = coach
    for (const { path, acts, page: isPage } of listRoutes(id)) {
      const target = fill(path)
      const page = await built.request(target, { cookie })
      // The portal is on the coach's host, for clients.
      const tellsCoach = isPage && !target.startsWith('/portal')
      expect([target, page.status, /<p[^>]*>[^<]* isn’t part of your plan\.</.test(page.text)]).toEqual([
        target,
        404,
        tellsCoach,
      ])
      const dataRequest = await built.request(`${target}.data`, { cookie })
      expect([target, dataRequest.status]).toEqual([target, 404])
      const visited = await built.request(target, { host: host() })
      expect([target, visited.status < 400 ? visited.headers.location : 404]).toEqual([
        target,
        visited.status < 400 ? expect.stringMatching(/^\/auth/) : 404,
      ])
      expect(visited.text).not.toMatch(/your plan|Attune is|switched off/i)
      if (!acts) continue
      const sent = await built.request(target, { cookie, form: { intent: 'save', name: 'Ada' } })
      expect([target, sent.status]).toEqual([target, 404])
      const byScript = await built.request(`${target}.data`, { cookie, form: { intent: 'save', name: 'Ada' } })
      expect([target, byScript.status]).toEqual([target, 403])
      expect(byScript.text).toContain('Your changes were not saved.')
    }
    await switchModules(coach, {})
  }, 60_000)
})

test('the other pages work while everything is off that can be, and link to nothing of it', async () => {
  await switchModules(coach, Object.fromEntries(switchable.map(({ id }) => [id, false])))
  const { cookie } = coach
  const off = modules.filter(({ isSwitchable = true }) => isSwitchable).flatMap(({ routes = [] }) => routes)
  const paths = off.filter(({ ofPlan }) => !ofPlan).map(({ path }) => `/${path}`)
  for (const target of ['/dashboard', '/clients', '/settings', '/trash', '/search?q=ada', '/branding', '/upgrade']) {
    const page = await built.request(target, { cookie })
    expect([target, page.status]).toEqual([target, 200])
    const links = [...page.text.matchAll(/<a [^>]*href="([^"?#]*)/g)].map(([, to]) => to!)
    expect([target, links.filter((to) => paths.includes(to))]).toEqual([target, []])
  }
  const home = await built.request('/', { host: host() })
  expect([home.status, home.text.includes('Ada Coaching')]).toEqual([200, true])
  await switchModules(coach, {})
})
