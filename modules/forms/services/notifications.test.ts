import { describe, expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { listOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { testConfig } from '#tests/support/config.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { visitorContext } from '#tenants/context.ts'
import { newQuestion } from '../fields.ts'
import { NewForm } from '../forms.ts'
import { findAnsweredForm, saveAnswers, submitAnswers } from './answering.ts'
import { createForm } from './form.ts'
import { notify, notifyAfterSeconds, notifyQueue, type NotifyJob } from './notifications.ts'
import { deleteSubmission, sendForm } from './submissions.ts'

const app = createTestApp()
const secret = 'I want to leave my marriage'

const createIntake = (coach: Coach, name = 'Intake') =>
  inTenant(coach, (tx) =>
    createForm(tx, NewForm.parse({ name, questions: [{ ...newQuestion('long', 'why'), label: 'What brings you?' }] })),
  )

/** A form that the client has answered on the page of the link. Returns the submission's id. */
async function answer(coach: Coach, formId: number, clientId: number): Promise<number> {
  const { id } = await inTenant(coach, (tx) => sendForm(tx, { formId, clientId }))
  const { account } = await contextFor(coach)
  const ctx = visitorContext(app.platform, account, { requestId: 'visit', address: '127.0.0.1' }, [
    'forms:answer:write',
  ])
  const { version, formVersionId } = (await findAnsweredForm(ctx, id))!
  await submitAnswers(ctx, id, { version, formVersionId, sent: { why: [secret] } })
  return id
}

const listEmails = async ({ email }: Coach) =>
  (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === email)
const run = (coach: Coach, submissionId: number, platform: Platform = app.platform) =>
  notify(platform, { coachId: coach.id, submissionId })

describe('the email about new answers', () => {
  test('names the client and the form, leads to the answers and quotes none', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach, name: 'Grace Hopper' })
    const id = await answer(coach, (await createIntake(coach)).id, client.id)
    await run(coach, id)
    const [email, ...others] = await listEmails(coach)
    expect([email!.subject, others]).toEqual(['New answers from Grace Hopper', []])
    expect(email!.text).toContain('Grace Hopper has answered “Intake”.')
    expect(email!.text).toContain(`http://localhost:3000/forms/submissions/${id}`)
    expect(JSON.stringify(email)).not.toContain(secret)
  })

  test('waits for more answers, and each answer is in one email however many jobs and workers try', async () => {
    const coach = await createCoach()
    const form = await createIntake(coach)
    const client = await createClient({ coach, name: 'Grace Hopper' })
    const ids: number[] = []
    for (let index = 0; index < 10; index++) ids.push(await answer(coach, form.id, client.id))
    const jobs = (await app.platform.boss.findJobs<NotifyJob>(notifyQueue)).filter(
      ({ data }) => data.coachId === coach.id,
    )
    expect(jobs.map(({ data }) => data.submissionId).sort((a, b) => a - b)).toEqual(ids)
    for (const { startAfter, createdOn } of jobs)
      expect(startAfter.getTime() - createdOn.getTime()).toBeGreaterThan((notifyAfterSeconds - 1) * 1000)
    await Promise.all(ids.flatMap((id) => [run(coach, id), run(coach, id)]))
    const emails = await listEmails(coach)
    const lines = emails.flatMap(({ text }) => text.match(/• Grace Hopper: Intake/g) ?? [])
    expect([emails.length, lines.length]).toEqual([1, 10])
    expect(emails[0]!.text).toContain(`http://localhost:3000/clients/${client.id}`)
  })

  test('leaves an answer that came later to its own job, which gives others the time to join it', async () => {
    const coach = await createCoach()
    const form = await createIntake(coach)
    const [ada, grace] = [
      await createClient({ coach, name: 'Ada Lovelace' }),
      await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' }),
    ]
    const [first, second] = [await answer(coach, form.id, ada.id), await answer(coach, form.id, ada.id)]
    await run(coach, first)
    const third = await answer(coach, form.id, ada.id)
    await run(coach, second)
    expect(await listEmails(coach)).toHaveLength(1)
    await answer(coach, form.id, grace.id)
    await run(coach, third)
    const emails = (await listEmails(coach)).toSorted((a, b) => a.subject.localeCompare(b.subject))
    expect(emails.map(({ subject }) => subject)).toEqual(['2 forms were answered', 'New answers from Ada Lovelace'])
    expect(emails[0]!.text).toContain(`http://localhost:3000/forms/${form.id}/answers`)
  })

  test('is not about older answers that no email was about', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach, name: 'Ada Lovelace' })
    const forms = [await createIntake(coach), await createIntake(coach, 'Feedback')]
    await answer(coach, forms[0]!.id, client.id)
    const began = app.clock.now
    app.clock.now = new Date(began.getTime() + 86_400_000)
    await run(coach, await answer(coach, forms[1]!.id, client.id))
    app.clock.now = began
    const emails = await listEmails(coach)
    expect(emails.map(({ text }) => text.includes('Ada Lovelace has answered “Feedback”.'))).toEqual([true])
  })

  test('of several people and forms leads to the forms', async () => {
    const coach = await createCoach()
    const ids: number[] = []
    for (const name of ['Ada', 'Grace']) {
      const client = await createClient({ coach, name, email: `${name}@example.com` })
      ids.push(await answer(coach, (await createIntake(coach, `Form of ${name}`)).id, client.id))
    }
    await run(coach, ids[0]!)
    const [email] = await listEmails(coach)
    expect(email!.text).toMatch(/Open your forms: http:\/\/localhost:3000\/forms$/m)
  })

  test('is about this coach’s forms, and about none that is unfinished or in the trash', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    const form = await createIntake(coach)
    const foreign = await answer(other, (await createIntake(other)).id, (await createClient({ coach: other })).id)
    const clients = await Promise.all(
      ['kept', 'deleted'].map((name) => createClient({ coach, name, email: `${name}@example.com` })),
    )
    const open = await inTenant(coach, (tx) => sendForm(tx, { formId: form.id, clientId: clients[0]!.id }))
    const ctx = await contextFor(coach)
    const visitor = visitorContext(app.platform, ctx.account, { requestId: 'visit' }, ['forms:answer:write'])
    const { version, formVersionId } = (await findAnsweredForm(visitor, open.id))!
    await saveAnswers(visitor, open.id, { version, formVersionId, sent: { why: [secret] } })
    const deleted = await answer(coach, form.id, clients[1]!.id)
    const trashed = await answer(coach, (await createIntake(coach, 'Other')).id, clients[0]!.id)
    await inTenant(coach, (tx) => deleteClient(tx, clients[1]!.id))
    await inTenant(coach, (tx) => deleteSubmission(tx, trashed))
    for (const id of [foreign, open.id, deleted, trashed]) await run(coach, id)
    expect([await listEmails(coach), await listEmails(other)]).toEqual([[], []])
    await run(other, foreign)
    expect(await listEmails(other)).toHaveLength(1)
  })

  test('is sent again if the mail server was busy, not if it refused', async () => {
    const [busy, strict] = [await mailServer({ refuse: 1 }), await mailServer({ refuse: 1, refusal: 550 })]
    const through = ({ url }: { url: string }): Platform => ({ ...app.platform, config: testConfig({ SMTP_URL: url }) })
    const [delayed, refused] = [await createCoach(), await createCoach()]
    const ids = await Promise.all(
      [delayed, refused].map(async (coach) =>
        answer(coach, (await createIntake(coach)).id, (await createClient({ coach })).id),
      ),
    )
    await expect(run(delayed, ids[0]!, through(busy))).rejects.toThrow('Try again later')
    await run(delayed, ids[0]!, through(busy))
    await run(delayed, ids[0]!, through(busy))
    await run(refused, ids[1]!, through(strict))
    await run(refused, ids[1]!, through(strict))
    expect([busy.unread(), strict.unread()]).toEqual([1, 0])
    await busy.close()
    await strict.close()
  })

  test('names twenty forms at most', async () => {
    const coach = await createCoach()
    const form = await createIntake(coach)
    const client = await createClient({ coach, name: 'Grace Hopper' })
    const ids: number[] = []
    for (let index = 0; index < 22; index++) ids.push(await answer(coach, form.id, client.id))
    await run(coach, ids[0]!)
    const [email] = await listEmails(coach)
    expect(email!.text.match(/• /g)).toHaveLength(20)
    expect(email!.text).toContain('… and 2 more')
  })

  test('is not sent to a coach who has switched it off, also not later', () =>
    expectSwitchable('forms.answered', async () => {
      const coach = await createCoach()
      const id = await answer(coach, (await createIntake(coach)).id, (await createClient({ coach })).id)
      return {
        coach,
        send: async () => {
          await run(coach, id)
          return (await listEmails(coach)).length
        },
      }
    }))
})
