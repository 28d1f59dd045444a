import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  chooseNotifications,
  emailCoach,
  listNotifications,
  NotificationsForm,
  saveNotifications,
  wantsEmail,
} from '#modules/core/notifications.ts'
import { modules } from '#modules/registry.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createCoach, inTenant, switchModules, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const declared = modules.flatMap(({ id, notifications = [] }) =>
  notifications.map(({ kind }) => ({ kind, module: id })),
)

/** Files that send emails without asking whether the coach wants them. Any other one must declare a notification. */
const senders: Record<string, string> = {
  // To clients, visitors and buyers.
  'modules/automations/services/email.ts': 'to clients and prospects',
  'modules/billing/sales/payment-links.ts': 'to buyers',
  'modules/billing/services/invoice-emails.ts': 'to clients',
  'modules/billing/services/receipt-emails.ts': 'to clients',
  'modules/forms/services/submissions.ts': 'to clients and prospects',
  'modules/portal/services/passkey-email.ts': 'to clients',
  'modules/portal/services/sign-in-email.ts': 'to clients',
  'modules/resources/services/shares.ts': 'to clients',
  'modules/scheduling/paid-bookings/refund.ts': 'to buyers',
  'modules/stripe/subscriptions/emails.ts': 'to clients',
  'modules/summaries/sharing/email.ts': 'to clients',
  // To coaches, always.
  'modules/scheduling/messages/send-test.ts': 'the coach asked for a test',
  'modules/stripe/plan/email.ts': 'about the plan that the coach pays for',
  'tenants/accounts/closing.ts': 'about closing the account',
  'tenants/accounts/email-change.ts': 'about signing in',
  'tenants/accounts/email-verification.ts': 'about signing in',
  'tenants/accounts/jobs.ts': 'about signing in',
  'tenants/auth/security-email.ts': 'about signing in',
  'tenants/domains/jobs.ts': 'the address of the practice stopped',
  'tenants/exports/jobs.ts': 'the coach asked for an export',
  // To both: they ask first, as their tests show.
  'modules/contracts/services/emails.ts': 'to clients, or with wantsEmail',
  'modules/messages/services/notifications.ts': 'to clients, or with emailCoach',
  'modules/scheduling/messages/send.ts': 'to attendees, or with loadChoices',
  // To the coach: they ask before they note the email, as their tests show.
  'modules/billing/services/payment-emails.ts': 'with wantsEmail',
  'modules/forms/services/notifications.ts': 'with wantsEmail',
  // It asks.
  'modules/core/notifications.ts': 'asks whether the coach wants it',
}
const sources = globSync(['modules/**/*.ts', 'tenants/**/*.ts', 'app/**/*.ts', 'scripts/**/*.ts']).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'tenants/mail.ts',
)
const read = (file: string) => readFileSync(file, 'utf8')

describe('an email to the coach', () => {
  test('is declared as a notification, or known to be always sent', () => {
    const sending = sources.filter((file) => /\bsendEmail\(/.test(read(file)))
    expect(sending.filter((file) => !Object.hasOwn(senders, file))).toEqual([])
    // Files of modules that are removed stay in the list.
    const present = Object.keys(senders).filter((file) => sources.includes(file))
    expect(present.filter((file) => !sending.includes(file))).toEqual([])
  })

  test('goes from those that send to clients to nobody else', () => {
    const toClients = Object.keys(senders).filter((file) => /^to [a-z]+( and [a-z]+)?$/.test(senders[file]!))
    for (const file of toClients.filter((each) => sources.includes(each)))
      expect([file, /\bto: (ctx\.)?account\.email|\.\.\.toCoach/.test(read(file))]).toEqual([file, false])
  })

  test.each(declared)('of the kind $kind has a test that it can be switched off, and is sent', ({ kind, module }) => {
    const own = globSync(`modules/${module}/**/*.test.ts`).filter((file) => read(file).includes('expectSwitchable('))
    expect(own.some((file) => read(file).includes(`'${kind}'`))).toBe(true)
    const sending = sources.filter((file) => file.startsWith(`modules/${module}/`) && !file.endsWith('/module.ts'))
    expect(sending.some((file) => read(file).includes(`'${kind}'`))).toBe(true)
  })

  test('of a kind that no module declares is an error', async () => {
    const ctx = await contextFor(await createCoach())
    await expect(wantsEmail(ctx, 'nobody.declares-this')).rejects.toThrow('No module declares')
  })

  test('names the page where it is switched off', async () => {
    const [{ kind } = { kind: '' }] = declared
    const coach = await createCoach()
    const email = { subject: 'Something happened', paragraphs: ['Hello'], button: null }
    await emailCoach(await contextFor(coach), kind, email)
    const [sent] = (await listOutbox(app.platform.config)).filter(({ to }) => to === coach.email)
    expect(sent!.text).toContain('Choose which emails you get: http://localhost:3000/settings#notifications')
    expect(sent!.html).toContain('href="http://localhost:3000/settings#notifications"')
  })
})

describe('the choices', () => {
  const list = async (coach: Coach) => listNotifications(await contextFor(coach))
  const listOff = async (coach: Coach) => (await list(coach)).filter(({ isOn }) => !isOn).map(({ kind }) => kind)
  const kinds = declared.map(({ kind }) => kind)

  test('are all on at first, of one coach alone, and in the user’s API', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    expect((await list(coach)).map(({ kind, isOn }) => [kind, isOn])).toEqual(kinds.map((kind) => [kind, true]))
    const body = { choices: { [kinds[0]!]: false } }
    const saved = await app.call('PUT', '/api/auth/notifications', { as: coach, body })
    expect([saved.status, saved.body.id]).toEqual([200, coach.id])
    const listed = await app.call('GET', '/api/auth/notifications', { as: coach })
    expect(listed.body.find(({ kind }: { kind: string }) => kind === kinds[0])).toMatchObject({ isOn: false })
    expect([await listOff(coach), await listOff(other)]).toEqual([[kinds[0]], []])
  })

  test.each([{ 'nobody.declares-this': false }, { [`a.${'b'.repeat(200)}`]: false }])(
    'of unknown kinds are refused: %o',
    async (choices) => {
      const coach = await createCoach()
      const { status } = await app.call('PUT', '/api/auth/notifications', { as: coach, body: { choices } })
      expect(status).toBe(422)
      expect(await listOff(coach)).toEqual([])
    },
  )

  test('made in many tabs at once are all kept', async () => {
    const coach = await createCoach()
    const save = (kind: string) => {
      const form = NotificationsForm.parse({ on: kinds.filter((other) => other !== kind), seen: kinds })
      return inTenant(coach, (ctx) => saveNotifications(ctx, form))
    }
    const results = await concurrently(kinds.length, (index) => save(kinds[index]!))
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await listOff(coach)).toEqual(kinds)
    // A tab that has seen all of them on, and changes nothing, changes nothing.
    await inTenant(coach, (ctx) => saveNotifications(ctx, NotificationsForm.parse({ on: kinds, seen: kinds })))
    expect(await listOff(coach)).toEqual(kinds)
  })

  test('of a module that is switched off are not offered, and stay', async () => {
    const coach = await createCoach()
    const { kind, module } = declared.find((each) =>
      app.platform.extensions.modules.some(({ id, isSwitchable }) => id === each.module && isSwitchable),
    )!
    await inTenant(coach, (ctx) => chooseNotifications(ctx, { [kind]: false }))
    await switchModules(coach, { [module]: false })
    expect((await list(coach)).map((each) => each.kind)).not.toContain(kind)
    await expect(inTenant(coach, (ctx) => chooseNotifications(ctx, { [kind]: true }))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await switchModules(coach, {})
    expect(await listOff(coach)).toEqual([kind])
  })

  test('fit into the database, even if all are made', async () => {
    const coach = await createCoach()
    await inTenant(coach, (ctx) => chooseNotifications(ctx, Object.fromEntries(kinds.map((kind) => [kind, false]))))
    const tooMany = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`kind.number-${index}`, false]))
    const write = inTenant(coach, (ctx) =>
      ctx.query({
        text: 'update account set notification_choices = $2 where id = $1',
        values: [coach.id, JSON.stringify(tooMany)],
      }),
    )
    await expect(write).rejects.toThrow()
  })
})
