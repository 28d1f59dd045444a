import { expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { runUnlessOff } from '#app/server/process/jobs.ts'
import { contextFor, createClient, createCoach, inTenant, switchModules } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import portal from '../module.ts'
import { createSession } from './sign-in.ts'

const app = createTestApp()

test('sessions that have ended are deleted, also while the portal is off', async () => {
  const coach = await createCoach()
  const { id, email } = await createClient({ coach })
  const device = { userAgent: 'Firefox/140.0 (Windows)', address: '203.0.113.7' }
  await inTenant(coach, (tx) => createSession(tx, { clientId: id, email: email! }, { host: 'mara.localhost', device }))
  const count = async () =>
    (
      await (
        await contextFor(coach)
      ).query({
        name: 'test.portal-sessions',
        text: 'select id from portal_session where coach_id = $1',
        values: [coach.id],
      })
    ).length
  await switchModules(coach, { portal: false })
  app.clock.now = new Date(app.clock.now.getTime() + 200 * dayMs)
  expect(await count()).toBe(1)
  for (const job of portal.jobs!.filter(({ every }) => every))
    await runUnlessOff(app.platform, { ...job, module: portal.id }, {})
  expect(await count()).toBe(0)
})
