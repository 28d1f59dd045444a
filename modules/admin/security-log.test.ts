import { describe, expect, test } from 'vitest'
import { coachContext, type Ctx } from '#tenants/context.ts'
import { contextFor, createCoach, type Coach } from '#tests/support/factories.ts'
import { captureSecurityLog } from '#tests/support/security-lines.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { requireAdmin } from './require-admin.server.ts'
import { changePlan } from './services/coaches.ts'

const app = createTestApp({ TRUST_PROXY: '1' })
const address = '203.0.113.7'
const from = { headers: { 'x-forwarded-for': address } }
const { clear, getText, readLines } = captureSecurityLog(app)
const getContext = async (coach: Coach): Promise<Ctx> =>
  coachContext(app.platform, (await contextFor(coach)).account, { requestId: 'test', address })
const rejected = (work: Promise<unknown>) => expect(work).rejects.toThrow()

describe('a line with account, address and reason is written for', () => {
  test('what an administrator does, once it is done', async () => {
    const [admin, coach] = [await createCoach({ isAdmin: true }), await createCoach({ plan: 'free' })]
    clear()
    const call = (method: string, path: string, body?: object) =>
      app.call(method, `/api/admin${path}`, { as: admin, body, ...from })
    const added = await call('POST', '/coaches', { email: 'added@example.com' })
    await call('POST', '/coaches', { email: 'added@example.com' })
    await call('PUT', `/coaches/${coach.id}/subscription`, { status: 'pro' })
    await call('DELETE', `/coaches/${coach.id}`)
    await rejected(
      (await getContext(admin)).write(async (tx) => {
        await changePlan(tx, added.body.id, 'premium')
        throw new Error('rolled back')
      }),
    )
    expect(readLines()).toEqual([
      { event: 'admin_coach_added', account: admin.id, target: added.body.id, address },
      { event: 'admin_plan_changed', account: admin.id, target: coach.id, address },
      { event: 'admin_coach_removed', account: admin.id, target: coach.id, address },
    ])
    expect(getText()).not.toContain('@example.com')
  })

  test('a coach who asks for what only administrators may', async () => {
    const coach = await createCoach()
    const ctx = await getContext(coach)
    clear()
    await app.call('DELETE', '/api/admin/coaches/1', { as: coach, ...from })
    await rejected(ctx.write((tx) => changePlan(tx, 1, 'pro')))
    const page = { coach: () => ctx, account: ctx.account, tenant: null }
    expect(() => requireAdmin(page as unknown as Parameters<typeof requireAdmin>[0])).toThrow()
    const line = { event: 'permission_refused', account: coach.id, address }
    expect(readLines()).toEqual([
      { ...line, reason: 'delete /admin/coaches/{id}' },
      { ...line, reason: 'admin:coach:write' },
      { ...line, reason: 'admin pages' },
    ])
  })
})
