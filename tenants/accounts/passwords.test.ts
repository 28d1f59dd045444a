import { describe, expect, test } from 'vitest'
import { createInvitationToken } from '#tenants/auth/one-time-tokens.ts'
import { checkNewPassword, isCommonPassword } from './passwords.ts'
import { createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const nora = { email: 'nora.lind@example.com', firstName: 'Nora', lastName: 'Lind' }
const check = (password: string) =>
  checkNewPassword(app.platform.config, password, nora).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

describe('a new password', () => {
  test.each(['123456', 'password', 'Password', 'QWERTY', 'iloveyou', 'aaaaaa', 'letmein'])(
    'can not be the common %j',
    async (password) => {
      expect(await check(password)).toBe('Too many people use this password. Choose another one.')
    },
  )

  test.each(['nora.lind@example.com', 'Nora Lind', 'lindnora1', 'nora.lind', 'Nora1234', 'example.com'])(
    'can not be the owner’s %j',
    async (password) => {
      expect(await check(password)).toBe("Don't use your name or email address as the password.")
    },
  )

  test('can not be the name of the platform', async () => {
    expect(await check(`${app.platform.config.platformName}1`)).not.toBe('accepted')
  })

  test.each(['correct horse battery staple', 'nora sails at dawn', '日本語のパスワード', '€€€€€€€€', "' or 1=1 --"])(
    'can be %j',
    async (password) => {
      expect(await check(password)).toBe('accepted')
    },
  )

  test('of 256 characters is checked within 20 ms', async () => {
    await isCommonPassword('first use loads the list')
    const started = performance.now()
    await check('a'.repeat(256))
    expect(performance.now() - started).toBeLessThan(20)
  })
})

describe('the list', () => {
  test('has 100,000 passwords in lower case, of at least 6 characters', async () => {
    const { loadCommonPasswords } = await import('./passwords.ts')
    const passwords = (await loadCommonPasswords()).trim().split('\n')
    expect(new Set(passwords).size).toBe(100_000)
    expect(passwords.filter((password) => password !== password.toLowerCase() || [...password].length < 6)).toEqual([])
  })
})

describe('the rules apply', () => {
  const weak = [
    ['letmein', 'Too many people use this password. Choose another one.'],
    ['a'.repeat(257), 'Use at most 256 characters'],
    ['12345', 'Use at least 6 characters'],
  ] as const

  test.each(weak)('to a registration with %j', async (password, message) => {
    const { status, body } = await app.call('POST', '/api/register', { body: { ...nora, password } })
    expect([status, body.issues]).toEqual([422, [{ path: 'password', message }]])
  })

  test.each(weak)('to an invitation with %j, whose link still works afterwards', async (password, message) => {
    const coach = await createCoach()
    const token = await createInvitationToken(app.platform, coach.id)
    const accept = (chosen: string) =>
      app.call('POST', '/api/auth/reset-password', { body: { token, password: chosen } })
    const { status, body } = await accept(password)
    expect([status, body.issues]).toEqual([422, [{ path: 'password', message }]])
    expect((await accept('correct horse')).status).toBe(204)
  })

  test('not to signing in: a common password of an earlier version still works', async () => {
    const coach = await createCoach({ password: 'letmein' })
    const { status } = await app.call('POST', '/api/login', { body: { email: coach.email, password: 'letmein' } })
    expect(status).toBe(200)
  })
})
