import { Readable } from 'node:stream'
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createClient, createCoach, contextFor, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { searchAll } from '#modules/core/search.ts'
import { withContent } from '#tenants/files/files.ts'
import { listOutbox } from '#tenants/mail.ts'
import { clientContext, visitorContext, type Ctx } from '#tenants/context.ts'
import type { SentAnswers } from './answers.ts'
import { newQuestion, type Question } from './fields.ts'
import { NewForm } from './forms.ts'
import { exportAnswers } from './export.ts'
import { formLink } from './link.ts'
import manifest from './module.ts'
import { action as answer } from './routes/answer.tsx'
import { loadCharts } from './charts.server.ts'
import { loadPortalFormsPage } from './portal.ts'
import type { FormListState } from './list-state.ts'
import { listFormsPage } from './queries/form.ts'
import { getSubmissionDetails } from './queries/submissions.ts'
import { addAnswerFile, findAnsweredForm, saveAnswers, submitAnswers } from './services/answering.ts'
import { createForm, publishForm, updateForm } from './services/form.ts'
import { deleteOrphanedFiles, sendForm, sendLinkEmail } from './services/submissions.ts'
import { sendRequired } from './services/requirements.ts'

const app = createTestApp()

const ask = (id: string, kind: Question['kind'], more: Partial<Question> = {}): Question => ({
  ...newQuestion(kind, id),
  label: `The question ${id}`,
  ...more,
})
const questions = [
  ask('coached', 'choice', { options: ['Yes', 'No'], required: true }),
  ask('before', 'long', { required: true, condition: { question: 'coached', test: 'is', value: 'Yes' } }),
  ask('mood', 'scale'),
  ask('job', 'short', { clientField: 'profession' }),
]

const addForm = (coach: Coach, fields: object = {}) =>
  inTenant(coach, (tx) => createForm(tx, NewForm.parse({ name: 'Intake', questions, ...fields })))

/** The person who opens the link. */
async function asVisitor(coach: Coach): Promise<Ctx> {
  const { account } = await contextFor(coach)
  return visitorContext(app.platform, account, { requestId: 'visit', address: '127.0.0.1' }, ['forms:answer:write'])
}

async function send(coach: Coach, formId: number, clientId?: number) {
  const id = clientId ?? (await createClient({ coach })).id
  return inTenant(coach, (tx) => sendForm(tx, { formId, clientId: id }))
}

/** The page of the link, with the state that it shows. */
async function open(coach: Coach, id: number) {
  const ctx = await asVisitor(coach)
  const { version, formVersionId } = (await findAnsweredForm(ctx, id))!
  return {
    save: (sent: SentAnswers) => saveAnswers(ctx, id, { version, formVersionId, sent }),
    submit: (sent: SentAnswers) => submitAnswers(ctx, id, { version, formVersionId, sent }),
  }
}

type Refused = { data: Record<string, unknown>; init: { status: number } }

/** Posts the page of the link, which refuses it. */
async function post(coach: Coach, id: number, fields: Record<string, string>): Promise<Refused> {
  const context = {
    tenant: { id: coach.id, name: 'Ada' },
    requestContext: { platform: app.platform, address: '127.0.0.1' },
    visitor: () => asVisitor(coach),
  } as unknown as AppLoadContext
  const request = new Request('http://localhost/form', { method: 'POST', body: new URLSearchParams(fields) })
  const token = formLink.getPath(await contextFor(coach), id).replace('/form/', '')
  return (await answer({ request, params: { token }, context } as ActionFunctionArgs)) as unknown as Refused
}

async function upload(coach: Coach, id: number, { question, name }: { question: string; name: string }) {
  const ctx = await asVisitor(coach)
  const { formVersionId } = (await findAnsweredForm(ctx, id))!
  return withContent(ctx, Readable.from([Buffer.from('My life')]), {}, (tx, content) =>
    addAnswerFile(tx, id, { question, formVersionId, name, content }),
  )
}

async function countFiles(coach: Coach): Promise<number> {
  const sql = `select kind from stored_file where coach_id = ${coach.id}`
  return (await runForCoach(app.ownerUrl, coach.id, sql)).rows.length
}

const complete: SentAnswers = { coached: ['No'], mood: ['7'], job: ['Teacher'] }

describe('versions', () => {
  test('answers keep the version that they were begun on, whatever is published before and after', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const steps = fc.array(fc.constantFrom('edit', 'begin', 'save', 'read'), { minLength: 3, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, async (actions) => {
        const { id } = await send(coach, form.id)
        let begun: number | null = null
        let newest = (await inTenant(coach, (tx) => publishForm(tx, form.id))).publishedNumber!
        for (const action of actions) {
          if (action === 'edit') {
            const label = `Edited ${Math.random()}`
            await inTenant(coach, (tx) =>
              updateForm(tx, form.id, { questions: [...questions, ask('more', 'short', { label })] }),
            )
            newest = (await inTenant(coach, (tx) => publishForm(tx, form.id))).publishedNumber!
          } else if (action !== 'read') {
            await (await open(coach, id)).save({ coached: ['No'] })
            begun ??= newest
          }
          const found = await app.call('GET', `/api/form-submissions/${id}`, { as: coach })
          expect(found.body.formVersion).toBe(begun)
        }
        await (await open(coach, id)).submit(complete)
        const { body } = await app.call('GET', `/api/form-submissions/${id}`, { as: coach })
        expect(body).toMatchObject({ status: 'submitted', formVersion: begun ?? newest })
      }),
      { numRuns: 8 },
    )
  })

  test('a form that is edited while it is open in a browser is finished as it was shown', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const { id } = await send(coach, form.id)
    const page = await open(coach, id)
    await inTenant(coach, (tx) => updateForm(tx, form.id, { questions: [ask('other', 'short', { required: true })] }))
    await inTenant(coach, (tx) => publishForm(tx, form.id))
    await page.submit(complete)
    const { body } = await app.call('GET', `/api/form-submissions/${id}`, { as: coach })
    expect(body).toMatchObject({ formVersion: 1, answers: { coached: 'No', mood: 7, job: 'Teacher' } })
  })

  test('publishing what has not changed makes no version, and needs a question', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    for (const _ of [1, 2]) expect((await inTenant(coach, (tx) => publishForm(tx, form.id))).publishedNumber).toBe(1)
    const { body } = await app.call('GET', `/api/forms/${form.id}/versions`, { as: coach })
    expect(body).toHaveLength(1)
    const empty = await app.call('POST', '/api/forms', { as: coach, body: { name: 'Empty' } })
    const refused = await app.call('POST', `/api/forms/${empty.body.id}/publish`, { as: coach })
    expect(refused).toMatchObject({ status: 422, body: { message: 'Add a question first.' } })
  })

  test('a question that another one depends on is not moved behind it', async () => {
    const coach = await createCoach()
    const { id } = await addForm(coach)
    const move = (question: string, to: number) =>
      app.call('POST', `/api/forms/${id}/move-question`, { as: coach, body: { question, to } })
    expect(await move('coached', 2)).toMatchObject({ status: 422 })
    const { body } = await move('mood', 0)
    expect(body.questions.map((one: Question) => one.id)).toEqual(['mood', 'coached', 'before', 'job'])
    expect(await move('none', 0)).toMatchObject({ status: 404 })
  })
})

describe('answers', () => {
  test('that are sent again, as by a reload, are no change: not for this device, and not for another one', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const page = await open(coach, id)
    const incomplete = { mood: ['7'] }
    const saved = await page.save(incomplete)
    const other = await open(coach, id)
    expect(await page.save(incomplete)).toBe(saved)
    await expect(page.submit(incomplete)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(page.save({ mood: ['8'] })).rejects.toMatchObject({ code: 'conflict', subject: 'answers' })
    expect(await other.save({ mood: ['8'] })).toBe(saved + 1)
  })

  test('that are saved unchanged raise the version by one, as the page that is being left expects', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    await (await open(coach, id)).save({ mood: ['7'] })
    const page = await open(coach, id)
    const { version, formVersionId } = (await findAnsweredForm(await asVisitor(coach), id))!
    await page.save({ mood: ['7'] })
    const leaving = { version: version + 1, formVersionId, sent: { mood: ['8'] } }
    expect(await saveAnswers(await asVisitor(coach), id, leaving)).toBe(version + 2)
  })

  test('two devices: the second is refused and changes nothing, and may then write over it', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const [phone, laptop] = [await open(coach, id), await open(coach, id)]
    await phone.save({ job: ['From the phone'] })
    await expect(laptop.save({ job: ['From the laptop'] })).rejects.toMatchObject({
      code: 'conflict',
      subject: 'answers',
    })
    const ctx = await asVisitor(coach)
    expect((await findAnsweredForm(ctx, id))!.answers).toEqual({ job: 'From the phone' })
    await (await open(coach, id)).save({ job: ['From the laptop'] })
    expect((await findAnsweredForm(ctx, id))!.answers).toEqual({ job: 'From the laptop' })
  })

  test('what is required and shown must be answered, what is hidden is not submitted', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const missing = { code: 'validation_failed', issues: [{ path: 'q-before' }] }
    await expect((await open(coach, id)).submit({ coached: ['Yes'] })).rejects.toMatchObject(missing)
    // It was kept all the same.
    const ctx = await asVisitor(coach)
    expect((await findAnsweredForm(ctx, id))!.answers).toEqual({ coached: 'Yes' })
    await (await open(coach, id)).submit({ coached: ['No'], before: ['Hidden'] })
    expect((await findAnsweredForm(ctx, id))!.answers).toEqual({ coached: 'No' })
    await expect((await open(coach, id)).save(complete)).rejects.toMatchObject({ subject: 'submitted' })
  })

  test('a text that is too long is refused with its length, and keeps what was saved', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    await (await open(coach, id)).save({ mood: ['3'] })
    await expect((await open(coach, id)).save({ job: ['x'.repeat(10_000)] })).rejects.toMatchObject({
      issues: [{ path: 'q-job', message: 'Use at most 200 characters. These are 10,000.' }],
    })
    expect((await findAnsweredForm(await asVisitor(coach), id))!.answers).toEqual({ mood: 3 })
  })

  test('that are refused keep their version, so that those of another device are not replaced', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const { version, formVersionId } = (await findAnsweredForm(await asVisitor(coach), id))!
    const typed = { version: String(version), formVersionId: String(formVersionId) }
    await (await open(coach, id)).save({ mood: ['3'] })
    const refused = await post(coach, id, { ...typed, intent: 'save', 'q-job': 'x'.repeat(201) })
    expect(refused.data).toMatchObject({ version, values: { job: [expect.any(String)] }, isConflict: false })
    // The answers of the other device are beside these: now they may be replaced.
    const conflict = await post(coach, id, { ...typed, intent: 'save', 'q-job': 'Teacher' })
    expect(conflict.data).toMatchObject({ isConflict: true, others: { mood: '3' } })
    expect(conflict.data).not.toHaveProperty('version')
  })

  test('that are kept but lack a required one are those of the newest version', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const { version, formVersionId } = (await findAnsweredForm(await asVisitor(coach), id))!
    const typed = { version: String(version), formVersionId: String(formVersionId), intent: 'submit' }
    const refused = await post(coach, id, { ...typed, 'q-coached': 'Yes' })
    expect(refused).toMatchObject({ init: { status: 422 }, data: { errors: { before: expect.any(String) } } })
    expect(refused.data).not.toHaveProperty('version')
  })

  test('stay on the page when a file cannot be removed', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    await (await open(coach, id)).submit(complete)
    const refused = await post(coach, id, { intent: 'remove-file', question: 'cv', version: '1' })
    expect(refused.init.status).toBe(409)
    expect(refused.data).not.toHaveProperty('values')
  })

  test('are refused without a word about the plan when its storage is full', async () => {
    const coach = await createCoach()
    const { id } = await send(coach, (await addForm(coach)).id)
    const page = await open(coach, id)
    const reaches = vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValue(true)
    const refused = { code: 'conflict', message: expect.stringMatching(/^This is not possible at the moment/) }
    await expect(page.save(complete)).rejects.toMatchObject(refused)
    reaches.mockRestore()
  })

  test('nothing is kept of an expired link, or of a deleted form, client or submission', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const client = await createClient({ coach })
    const start = app.clock.now
    const { id } = await inTenant(coach, (tx) =>
      sendForm(tx, { formId: form.id, clientId: client.id, expiresInDays: 1 }),
    )
    const page = await open(coach, id)
    app.clock.now = new Date(start.getTime() + 86_400_001)
    await expect(page.save(complete)).rejects.toMatchObject({ code: 'conflict', subject: 'expired' })
    app.clock.now = start
    for (const path of [`/api/form-submissions/${id}`, `/api/clients/${client.id}`, `/api/forms/${form.id}`]) {
      await app.call('DELETE', path, { as: coach })
      await expect(page.save(complete)).rejects.toMatchObject({ code: 'not_found' })
      await app.call('POST', `${path}/restore`, { as: coach })
      if (path.includes('clients')) await inTenant(coach, (tx) => restoreClientRow(tx, client.id))
    }
    await page.save(complete)
  })

  test('an expired link is not emailed again', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const start = app.clock.now
    const link = { formId: form.id, clientId: (await createClient({ coach })).id, expiresInDays: 1 }
    const { id } = await inTenant(coach, (tx) => sendForm(tx, link))
    app.clock.now = new Date(start.getTime() + 86_400_001)
    const { status, body } = await app.call('POST', `/api/form-submissions/${id}/resend`, { as: coach })
    app.clock.now = start
    expect([status, body.message]).toEqual([409, 'The link of this form has expired. Send the form again instead.'])
  })

  test('the list of forms counts the submissions that the form shows', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const [client, other] = [await createClient({ coach }), await createClient({ coach })]
    await (await open(coach, (await send(coach, form.id, client.id)).id)).submit(complete)
    await send(coach, form.id, other.id)
    const count = async () => {
      const { forms } = await listFormsPage(await contextFor(coach), { q: '', page: 1 } as FormListState)
      return forms.map(({ sent, submitted }) => [sent, submitted])
    }
    expect(await count()).toEqual([[2, 1]])
    await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
    expect(await count()).toEqual([[1, 0]])
  })

  test('a client who is read-only can begin no form', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { id } = await send(coach, (await addForm(coach)).id, client.id)
    await app.call('POST', `/api/clients/${client.id}/archive`, { as: coach })
    await setPlan(coach, 'free')
    await createClient({ coach })
    await expect((await open(coach, id)).save(complete)).rejects.toMatchObject({ code: 'conflict' })
    const { status } = await app.call('POST', '/api/form-submissions', {
      as: coach,
      body: { formId: 1, clientId: client.id },
    })
    expect(status).toBe(403)
  })
})

const restoreClientRow = async (tx: Parameters<Parameters<Ctx['write']>[0]>[0], id: number) => {
  const { restoreClient } = await import('#modules/crm/services/clients.ts')
  await restoreClient(tx, id)
}

async function readAll(parts: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const part of parts) all += part
  return all
}

describe('after they are submitted, answers', () => {
  test('are proposed for the client, and change them once the coach approves', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach, profession: 'Nurse' })
    const { id } = await send(coach, (await addForm(coach)).id, client.id)
    await (await open(coach, id)).submit(complete)
    const getProfession = async () =>
      (await app.call('GET', `/api/clients/${client.id}`, { as: coach })).body.profession
    const { body } = await app.call('GET', '/api/form-proposals', { as: coach })
    expect(body).toMatchObject([{ submissionId: id, field: 'profession', value: 'Teacher', state: 'open' }])
    expect(await getProfession()).toBe('Nurse')
    const approve = () => app.call('POST', `/api/form-proposals/${body[0].id}/approve`, { as: coach })
    expect(await approve()).toMatchObject({ status: 200, body: { state: 'approved' } })
    expect(await getProfession()).toBe('Teacher')
    expect(await approve()).toMatchObject({ status: 409 })
    const history = await app.call('GET', `/api/history/client/${client.id}`, { as: coach })
    expect(history.text).toContain('Teacher')
  })

  test('are in the activities, in the search and in a CSV file whose formulas are inert', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const { id } = await send(coach, form.id)
    await (await open(coach, id)).submit({ ...complete, job: ['=HYPERLINK("https://example.com")'] })
    const activities = await app.call('GET', '/api/activities', { as: coach })
    expect(activities.body[0]).toMatchObject({ type: 'form_answered', description: 'Ada Lovelace: Intake' })
    const { results } = await searchAll(await contextFor(coach), 'hyperlink')
    expect(results).toMatchObject([{ title: 'Ada Lovelace, Intake', to: `/forms/submissions/${id}` }])
    const file = await readAll(exportAnswers(await contextFor(coach), form.id))
    expect(file.split('\r\n')).toEqual([
      '\ufeffName,Answered,Version,The question coached,The question before,The question mood,The question job',
      `Ada Lovelace,2026-03-10,1,No,,7,"'=HYPERLINK(""https://example.com"")"`,
      '',
    ])
  })

  test('to a scale that is asked again are a chart over time', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const form = await addForm(coach)
    for (const mood of ['3', '8']) {
      const { id } = await send(coach, form.id, client.id)
      await (await open(coach, id)).submit({ ...complete, mood: [mood] })
    }
    const charts = await loadCharts(await contextFor(coach), client.id)
    expect(charts).toMatchObject([
      { title: 'The question mood', formName: 'Intake', points: [{ value: 3 }, { value: 8 }] },
    ])
  })
})

describe('links', () => {
  test('are emailed in the name of the practice, and not to a client who has answered', async () => {
    const coach = await createCoach({ subdomain: 'ada-forms', businessName: 'Ada Coaching' })
    const form = await addForm(coach)
    const client = await createClient({ coach, email: 'grace@example.com' })
    const { id } = await inTenant(coach, (tx) =>
      sendForm(tx, { formId: form.id, clientId: client.id, sendEmail: true }),
    )
    const deliver = () => sendLinkEmail(app.platform, { coachId: coach.id, submissionId: id })
    const listMails = async () => (await listOutbox(app.platform.config)).filter(({ to }) => to === 'grace@example.com')
    await deliver()
    expect(await listMails()).toMatchObject([
      { subject: 'Intake from Ada Coaching', text: expect.stringContaining('http://ada-forms.localhost:3000/form/') },
    ])
    await (await open(coach, id)).submit(complete)
    await deliver()
    expect(await listMails()).toHaveLength(1)
  })

  test('need a confirmed address to be emailed', async () => {
    const coach = await createCoach({ emailVerified: false })
    const form = await addForm(coach)
    const { id: clientId } = await createClient({ coach })
    const body = { formId: form.id, clientId, sendEmail: true }
    expect(await app.call('POST', '/api/form-submissions', { as: coach, body })).toMatchObject({ status: 403 })
  })

  test('a form that was not answered is sent again instead of a second one', async () => {
    const coach = await createCoach()
    const form = await addForm(coach)
    const { id: clientId } = await createClient({ coach })
    const first = await send(coach, form.id, clientId)
    expect((await send(coach, form.id, clientId)).id).toBe(first.id)
    await (await open(coach, first.id)).submit(complete)
    expect((await send(coach, form.id, clientId)).id).not.toBe(first.id)
  })

  describe('that an appointment type requires', () => {
    async function start() {
      const coach = await createCoach()
      const form = await addForm(coach)
      const { id: clientId } = await createClient({ coach })
      const type = await app.call('POST', '/api/appointment-types', { as: coach, body: { name: 'First session' } })
      const required = { appointmentTypeId: type.body.id, formId: form.id }
      await app.call('POST', '/api/form-requirements', { as: coach, body: required })
      const book = async (day = '2026-03-20') => {
        const times = { startTime: `${day}T10:00:00Z`, endTime: `${day}T11:00:00Z` }
        const body = { title: 'First session', clientId, appointmentTypeId: type.body.id, ...times }
        return (await app.call('POST', '/api/appointments', { as: coach, body })).body.id as number
      }
      const require = (appointmentId: number) => inTenant(coach, (tx) => sendRequired(tx, { appointmentId }))
      const list = async () => (await app.call('GET', '/api/form-submissions', { as: coach })).body
      return { coach, form, clientId, book, require, list }
    }

    test('are sent once with a session', async () => {
      const { form, clientId, book, require, list } = await start()
      const appointmentId = await book()
      for (const _ of [1, 2]) await require(appointmentId)
      expect(await list()).toMatchObject([{ formId: form.id, clientId, source: 'booking', appointmentId }])
    })

    test('are sent once with sessions that are booked at the same time', async () => {
      const { book, require, list } = await start()
      const sessions = [await book('2026-03-20'), await book('2026-03-21')]
      await Promise.all(sessions.map(require))
      expect(await list()).toHaveLength(1)
    })

    test('are not sent with a session that is over', async () => {
      const { book, require, list } = await start()
      await require(await book('2026-03-01'))
      expect(await list()).toEqual([])
    })

    test('are sent again, without an end, once their link has expired', async () => {
      const { coach, form, clientId, book, require, list } = await start()
      const now = app.clock.now
      const { id } = await inTenant(coach, (tx) => sendForm(tx, { formId: form.id, clientId, expiresInDays: 1 }))
      await require(await book('2026-03-20'))
      expect(await list()).toMatchObject([{ id, expiresAt: expect.any(String), emailedAt: null }])
      app.clock.now = new Date(now.getTime() + 86_400_001)
      for (const _ of [1, 2]) await require(await book('2026-03-21'))
      expect(await list()).toMatchObject([{ id, expiresAt: null, emailedAt: app.clock.now.toISOString() }])
      app.clock.now = now
    })
  })
})

test('a client sees the forms that they have in the portal, and no other', async () => {
  const coach = await createCoach()
  const form = await addForm(coach)
  const grace = await createClient({ coach, name: 'Grace Hopper' })
  const other = await createClient({ coach })
  const { id } = await send(coach, form.id, grace.id)
  await send(coach, form.id, other.id)
  const { account } = await contextFor(coach)
  const client = { id: grace.id, name: grace.name, email: grace.email, timezone: 'UTC' }
  const ctx = clientContext(app.platform, account, { requestId: 'portal' }, client)
  expect(await loadPortalFormsPage(ctx)).toMatchObject({ open: [{ id, status: 'sent' }], answered: [] })
  await (await open(coach, id)).submit(complete)
  expect(await loadPortalFormsPage(ctx)).toMatchObject({ open: [], answered: [{ id, status: 'submitted' }] })
  await app.call('DELETE', `/api/forms/${form.id}`, { as: coach })
  expect(await loadPortalFormsPage(ctx)).toEqual({ open: [], answered: [] })
})

test('a file that answers a question is replaced by another, required, and deleted with the client', async () => {
  const coach = await createCoach()
  const form = await addForm(coach, { questions: [ask('cv', 'file', { required: true }), ask('job', 'short')] })
  const client = await createClient({ coach })
  const { id } = await send(coach, form.id, client.id)
  const page = await open(coach, id)
  await expect(page.submit({})).rejects.toMatchObject({ issues: [{ path: 'q-cv', message: 'Upload a file' }] })
  await upload(coach, id, { question: 'cv', name: 'old.txt' })
  await upload(coach, id, { question: 'cv', name: 'new.txt' })
  const wrong = upload(coach, id, { question: 'job', name: 'wrong.txt' })
  await expect(wrong).rejects.toMatchObject({ code: 'validation_failed' })
  await (await open(coach, id)).submit({})
  expect((await getSubmissionDetails(await contextFor(coach), id)).files).toMatchObject([{ fileName: 'new.txt' }])
  expect(await countFiles(coach)).toBe(1)
  await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
  const clients = app.platform.extensions.recordKinds.find(({ kind }) => kind === 'client')!
  await inTenant(coach, (tx) => eraseRecord(tx, clients, client.id))
  await inTenant(coach, (tx) => deleteOrphanedFiles(tx))
  expect(await countFiles(coach)).toBe(0)
})

test('files of what was erased are deleted at once or at night, also while the module is switched off', async () => {
  const coach = await createCoach()
  const form = await addForm(coach, { questions: [ask('cv', 'file')] })
  const client = await createClient({ coach })
  const [erased, kept] = [await send(coach, form.id, client.id), await send(coach, form.id)]
  for (const { id } of [erased, kept]) await upload(coach, id, { question: 'cv', name: 'cv.txt' })
  await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
  const clients = app.platform.extensions.recordKinds.find(({ kind }) => kind === 'client')!
  await inTenant(coach, (tx) => eraseRecord(tx, clients, client.id))
  expect(await countFiles(coach)).toBe(2)
  const job = manifest.jobs!.find(({ name }) => name === 'forms.delete-orphaned-files')!
  await job.run(app.platform, {})
  expect(await countFiles(coach)).toBe(1)
  const subscriber = manifest.subscribers!.find(({ event }) => event === 'crm.client-erased')
  expect([job.keepsData, subscriber?.keepsData]).toEqual([true, true])
})

test('a file that answers a hidden question is deleted when the form is submitted', async () => {
  const coach = await createCoach()
  const condition = { question: 'coached', test: 'is', value: 'Yes' } as const
  const form = await addForm(coach, {
    questions: [questions[0]!, ask('cv', 'file', { required: true, condition }), ask('photo', 'file')],
  })
  const { id } = await send(coach, form.id)
  for (const question of ['cv', 'photo']) await upload(coach, id, { question, name: `${question}.txt` })
  await (await open(coach, id)).submit({ coached: ['No'] })
  expect((await getSubmissionDetails(await contextFor(coach), id)).files).toMatchObject([{ fileName: 'photo.txt' }])
  expect(await countFiles(coach)).toBe(1)
})

test('saving while somebody types leaves no trace in the history, sending and answering do', async () => {
  const coach = await createCoach()
  const { id } = await send(coach, (await addForm(coach)).id)
  for (const job of ['A', 'AB', 'ABC']) await (await open(coach, id)).save({ job: [job] })
  const read = async () => (await app.call('GET', `/api/history/form_submission/${id}`, { as: coach })).body
  expect(await read()).toHaveLength(1)
  await (await open(coach, id)).submit(complete)
  expect(await read()).toHaveLength(2)
})
