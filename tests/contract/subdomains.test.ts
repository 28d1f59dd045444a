import { describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { deleteExpired } from '#tenants/accounts/jobs.ts'
import { Account } from '#tenants/schema.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp({ PLATFORM_NAME: 'Attune' })

async function take(coach: Coach, subdomain: string | null): Promise<[status: number, message: string | undefined]> {
  const { status, body } = await app.call('PUT', '/api/branding', { as: coach, body: { subdomain } })
  if (status !== 200) expect(body.issues?.[0]?.path ?? 'subdomain').toBe('subdomain')
  return [status, status === 200 ? undefined : body.message]
}
const held = 'Another practice used this address in the last 90 days. Choose another one'

describe('a subdomain that a coach gives up', () => {
  test('stays reserved for 90 days, and its former owner can take it back', async () => {
    const [ada, bea] = [await createCoach({ subdomain: 'given-up' }), await createCoach()]
    await take(ada, 'moved-on')
    expect(await take(bea, 'given-up')).toEqual([409, held])
    expect(await take(ada, 'given-up')).toEqual([200, undefined])
    expect(await take(bea, 'moved-on')).toEqual([409, held])
    await take(ada, null)
    app.clock.now = new Date(app.clock.now.getTime() + 5 * dayMs)
    expect(await take(bea, 'given-up')).toEqual([409, held])
    const later = new Date(app.clock.now.getTime() + 86 * dayMs)
    app.clock.now = later
    const cleo = await createCoach()
    expect(await take(cleo, 'given-up')).toEqual([200, undefined])
    expect(await take(await createCoach(), 'given-up')).toEqual([409, 'This address is already taken'])
  })

  test('goes to nobody else, not even at the moment when it is given up', async () => {
    const [ada, ...others] = [await createCoach({ subdomain: 'raced-for' }), await createCoach(), await createCoach()]
    const [left, ...answers] = await Promise.all([
      take(ada!, 'raced-away'),
      ...others.map((one) => take(one, 'raced-for')),
    ])
    expect(left).toEqual([200, undefined])
    expect(answers.map(([status]) => status)).toEqual([409, 409])
  })

  test('is one of at most five: names can not be collected', async () => {
    const [ada, bea] = [await createCoach({ subdomain: 'collected-0' }), await createCoach()]
    for (let number = 1; number <= 6; number += 1) {
      app.clock.now = new Date(app.clock.now.getTime() + 1000)
      await take(ada, `collected-${number}`)
    }
    expect(await take(bea, 'collected-1')).toEqual([409, held])
    expect(await take(bea, 'collected-0')).toEqual([200, undefined])
  })
})

describe('a subdomain of a removed coach', () => {
  test('stays reserved for 90 days, also after the coach is erased', async () => {
    const ada = await createCoach({ subdomain: 'was-removed' })
    await take(ada, 'removed-later')
    const removedAt = app.clock.now
    await inTenant(ada, ({ em }) => em.nativeUpdate(Account, { id: ada.id }, { removedAt }))
    const takeAfter = async (days: number, name: string) => {
      app.clock.now = new Date(removedAt.getTime() + days * dayMs)
      await deleteExpired(app.platform, runtime.entities)
      return take(await createCoach(), name)
    }
    expect(await takeAfter(29, 'removed-later')).toEqual([409, 'This address is already taken'])
    expect(await takeAfter(31, 'removed-later')).toEqual([409, held])
    expect(await takeAfter(31, 'was-removed')).toEqual([409, held])
    expect(await takeAfter(89, 'removed-later')).toEqual([409, held])
    expect(await takeAfter(91, 'removed-later')).toEqual([200, undefined])
    expect(await takeAfter(91, 'was-removed')).toEqual([200, undefined])
    const rows = await app.platform.readPool.queryGlobal({
      name: 'test.erased',
      text: 'select 1 from erased_subdomain',
    })
    expect(rows).toEqual([])
  })
})

describe('a new subdomain', () => {
  test.each(
    `login signin log-in sign-in l0gin s1gn-1n secure accounts secure-login my-account bi11ing
    mta-sts mtasts autodiscover autoconfig wpad mail mx1 webmail imap pop smtp-relay
    xn--80ak6aa92e ab--cd admin 4dmin help-desk www2`.split(/\s+/),
  )('is not %s', async (name) => {
    expect(await take(await createCoach(), name)).toEqual([422, 'This name is reserved'])
  })

  test.each([
    'attune',
    'a-t-t-u-n-e',
    '4ttune',
    'at7une',
    'attune-login',
    'attunelogin',
    'my-attune',
    'attune-coaching',
    'attunee',
    'attune1',
    'attune24',
    '2attune',
    'atune',
    'attume',
    'att-une-e',
    'attunee-login',
    'my-atune',
    'attune24-coaching',
  ])('is not %s, which looks like the platform', async (name) => {
    expect(await take(await createCoach(), name)).toEqual([422, 'This name looks like an address of Attune'])
  })

  test.each([
    'attuned-living',
    'tune',
    'retune',
    'attunement',
    'mallory',
    'login-coach',
    'ada-m',
    'coach-1on1',
    'supportive',
    'the-admin',
  ])('can be %s', async (name) => {
    expect(await take(await createCoach(), name)).toEqual([200, undefined])
  })

  test('is checked only when it changes', async () => {
    const coach = await createCoach({ subdomain: 'was-here-first' })
    app.platform.config.platformName = 'Was Here'
    expect(await take(coach, 'was-here-first')).toEqual([200, undefined])
    expect(await take(coach, 'was-here-too')).toEqual([422, 'This name looks like an address of Was Here'])
    app.platform.config.platformName = 'Attune'
  })
})
