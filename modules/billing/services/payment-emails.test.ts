import { describe, expect, test } from 'vitest'
import { listOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from '#tests/support/config.ts'
import { createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createInvoice, recordPayment } from '../e2e/factories.ts'
import { recordOnlinePayment } from './online-payments.ts'
import { notifyPayment, paymentQueue, type PaymentJob } from './payment-emails.ts'

const app = createTestApp()
let payments = 0

const pay = (coach: Coach, id: number, amount: number) =>
  inTenant(coach, (tx) =>
    recordOnlinePayment(tx, id, { amount, externalId: `pi_${coach.id}_${++payments}`, paidAt: tx.now() }),
  )
const listEmails = async ({ email }: Coach) =>
  (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === email)
const run = (coach: Coach, invoiceId: number, platform: Platform = app.platform) =>
  notifyPayment(platform, { coachId: coach.id, invoiceId })
const listJobs = async (coach: Coach) =>
  (await app.platform.boss.findJobs<PaymentJob>(paymentQueue)).filter(({ data }) => data.coachId === coach.id)

async function bill(name = 'Grace Hopper') {
  const coach = await createCoach()
  const client = await createClient({ coach, name })
  return { coach, ...(await createInvoice({ coach, clientId: client.id })) }
}

describe('the email about a card payment', () => {
  test('says who paid how much, what is left, and leads to the invoice', async () => {
    const { coach, id, number } = await bill()
    await pay(coach, id, 5_000)
    expect(await listJobs(coach)).toHaveLength(1)
    await run(coach, id)
    const [email, ...others] = await listEmails(coach)
    expect([email!.subject, others]).toEqual(['Grace Hopper has paid $50.00', []])
    expect(email!.text).toContain(`Invoice ${number}: Coaching`)
    expect(email!.text).toContain('Left to pay: $100.00')
    expect(email!.text).toContain(`http://localhost:3000/payments?dialog=invoice&invoice=${id}`)
  })

  test('counts each payment once, however many jobs and workers try', async () => {
    const { coach, id } = await bill()
    await pay(coach, id, 5_000)
    await pay(coach, id, 4_000)
    await Promise.all(Array.from({ length: 6 }, () => run(coach, id)))
    await pay(coach, id, 6_000)
    await Promise.all(Array.from({ length: 6 }, () => run(coach, id)))
    const subjects = (await listEmails(coach)).map(({ subject }) => subject)
    expect(subjects.sort()).toEqual(['Grace Hopper has paid $60.00', 'Grace Hopper has paid $90.00'])
  })

  test('is not sent about payments that the coach records, and is of this coach alone', async () => {
    const { coach, id } = await bill()
    const other = await bill()
    await inTenant(coach, (tx) => recordPayment(tx, id, { method: 'credit_card', amount: 5_000 }))
    expect(await listJobs(coach)).toEqual([])
    await pay(other.coach, other.id, 5_000)
    await run(coach, id)
    await run(coach, other.id)
    expect([await listEmails(coach), await listEmails(other.coach)]).toEqual([[], []])
    await run(other.coach, other.id)
    expect(await listEmails(other.coach)).toHaveLength(1)
  })

  test('is sent again if the mail server was busy, not if it refused', async () => {
    const [busy, strict] = [await mailServer({ refuse: 1 }), await mailServer({ refuse: 1, refusal: 550 })]
    const through = ({ url }: { url: string }): Platform => ({ ...app.platform, config: testConfig({ SMTP_URL: url }) })
    const [delayed, refused] = [await bill(), await bill()]
    for (const { coach, id } of [delayed, refused]) await pay(coach, id, 5_000)
    await expect(run(delayed.coach, delayed.id, through(busy))).rejects.toThrow('Try again later')
    await run(delayed.coach, delayed.id, through(busy))
    await run(delayed.coach, delayed.id, through(busy))
    await run(refused.coach, refused.id, through(strict))
    await run(refused.coach, refused.id, through(strict))
    expect([busy.unread(), strict.unread()]).toEqual([1, 0])
    await busy.close()
    await strict.close()
  })

  test('is not sent to a coach who has switched it off', () =>
    expectSwitchable('billing.payment', async () => {
      const { coach, id } = await bill()
      await pay(coach, id, 15_000)
      return {
        coach,
        send: async () => {
          await run(coach, id)
          return (await listEmails(coach)).length
        },
      }
    }))
})
