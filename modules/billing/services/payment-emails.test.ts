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

/** Returns the id of the payment's entry in the ledger. */
const pay = (coach: Coach, invoiceId: number, amount: number): Promise<number> =>
  inTenant(coach, async (tx) => {
    await recordOnlinePayment(tx, invoiceId, { amount, externalId: `pi_${coach.id}_${++payments}`, paidAt: tx.now() })
    const [entry] = await tx.query<{ id: number }>({
      text: 'select max(id) as id from ledger_entry where coach_id = $1 and invoice_id = $2',
      values: [coach.id, invoiceId],
    })
    return entry!.id
  })
const listEmails = async ({ email }: Coach) =>
  (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === email)
const run = (coach: Coach, entryId: number, platform: Platform = app.platform) =>
  notifyPayment(platform, { coachId: coach.id, entryId })
const listJobs = async (coach: Coach) =>
  (await app.platform.boss.findJobs<PaymentJob>(paymentQueue))
    .filter(({ data }) => data.coachId === coach.id)
    .map(({ data }) => data.entryId)

async function bill(name = 'Grace Hopper') {
  const coach = await createCoach()
  const client = await createClient({ coach, name })
  return { coach, ...(await createInvoice({ coach, clientId: client.id })) }
}

describe('the email about an online payment', () => {
  test('says who paid how much, what is left, and leads to the invoice', async () => {
    const { coach, id, number } = await bill()
    const entryId = await pay(coach, id, 5_000)
    expect(await listJobs(coach)).toEqual([entryId])
    await run(coach, entryId)
    const [email, ...others] = await listEmails(coach)
    expect([email!.subject, others]).toEqual(['Grace Hopper has paid $50.00', []])
    expect(email!.text).toContain(`Invoice ${number}: Coaching`)
    expect(email!.text).toContain('Left to pay: $100.00')
    expect(email!.text).toContain(`http://localhost:3000/payments?dialog=invoice&invoice=${id}`)
  })

  test('is sent once for each payment, however many jobs and workers try', async () => {
    const { coach, id } = await bill()
    const entries = [await pay(coach, id, 5_000), await pay(coach, id, 4_000)]
    await Promise.all(entries.flatMap((entry) => Array.from({ length: 6 }, () => run(coach, entry))))
    const subjects = (await listEmails(coach)).map(({ subject }) => subject)
    expect(subjects.sort()).toEqual(['Grace Hopper has paid $40.00', 'Grace Hopper has paid $50.00'])
  })

  test('is not sent about payments that the coach records, and is of this coach alone', async () => {
    const { coach, id } = await bill()
    const other = await bill()
    await inTenant(coach, (tx) => recordPayment(tx, id, { method: 'credit_card', amount: 5_000 }))
    expect(await listJobs(coach)).toEqual([])
    const foreign = await pay(other.coach, other.id, 5_000)
    await run(coach, foreign)
    expect([await listEmails(coach), await listEmails(other.coach)]).toEqual([[], []])
    await run(other.coach, foreign)
    expect(await listEmails(other.coach)).toHaveLength(1)
  })

  test('is sent again if the mail server was busy, also after a later payment, and not if it refused', async () => {
    const [busy, strict] = [await mailServer({ refuse: 1 }), await mailServer({ refuse: 1, refusal: 550 })]
    const through = ({ url }: { url: string }): Platform => ({ ...app.platform, config: testConfig({ SMTP_URL: url }) })
    const [delayed, refused] = [await bill(), await bill()]
    const [first, later] = [await pay(delayed.coach, delayed.id, 5_000), await pay(delayed.coach, delayed.id, 4_000)]
    const entry = await pay(refused.coach, refused.id, 5_000)
    await expect(run(delayed.coach, first, through(busy))).rejects.toThrow('Try again later')
    await run(delayed.coach, later, through(busy))
    await run(delayed.coach, first, through(busy))
    await run(delayed.coach, first, through(busy))
    await run(refused.coach, entry, through(strict))
    await run(refused.coach, entry, through(strict))
    expect([busy.unread(), strict.unread()]).toEqual([2, 0])
    await busy.close()
    await strict.close()
  })

  test('is not sent to a coach who has switched it off', () =>
    expectSwitchable('billing.payment', async () => {
      const { coach, id } = await bill()
      const entryId = await pay(coach, id, 15_000)
      return {
        coach,
        send: async () => {
          await run(coach, entryId)
          return (await listEmails(coach)).length
        },
      }
    }))
})
