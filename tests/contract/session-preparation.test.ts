import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eraseRecord } from '#modules/core/trash.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { findAnsweredForm, submitAnswers } from '#modules/forms/services/answering.ts'
import { sendOwnMessage } from '#modules/messages/services/messages.ts'
import { NewTemplate } from '#modules/programs/forms.ts'
import { assignProgram } from '#modules/programs/services/programs.ts'
import { createTemplate } from '#modules/programs/services/templates.ts'
import { loadPreparation } from '#modules/scheduling/preparation-loader.server.ts'
import { saveAgenda } from '#modules/scheduling/services/agendas.ts'
import { makeSummary } from '#modules/summaries/services/generation.ts'
import {
  contextFor,
  createClient,
  createCoach,
  inTenant,
  setPlan,
  switchModules,
  type Coach,
} from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

// The preparation of a session, with the parts of other modules ('#modules/billing/', '#modules/contracts/',
// '#modules/pipeline/', '#modules/tasks/').

const app = createTestApp()
let coach: Coach
let clientId: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro', timezone: 'UTC' })
  clientId = (await createClient({ coach, name: 'Grace Hopper' })).id
})

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const { status, body: made } = await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })
  expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 300)])
  return made
}
const post = (path: string, body: object = {}) => call('POST', path, body)

/** A session of an hour, by default the one to prepare. */
async function addSession(start = '2026-03-10T15:00:00Z', more: object = {}): Promise<number> {
  const endTime = new Date(Date.parse(start) + 3_600_000).toISOString()
  return (await post('/appointments', { title: 'Session', clientId, startTime: start, endTime, ...more })).id
}

/** The session of the day before, with notes. */
async function addLastSession(): Promise<number> {
  const id = await addSession('2026-03-09T09:00:00Z')
  await post(`/appointments/${id}/complete`, { notes: 'She wants to *delegate* more.' })
  return id
}

const load = async (id: number, as = coach) => loadPreparation(await contextFor(as), id)
const listParts = async (id: number) =>
  Object.fromEntries(
    (await load(id)).parts.map(({ title, items }) => [title, items.map((item) => `${item.title}: ${item.detail}`)]),
  )

/** Adds what was promised in a session: a task of Grace until Friday, and one of the coach. */
async function promise(appointmentId: number): Promise<void> {
  await post(`/appointments/${appointmentId}/recording-consents`, { channel: 'spoken', wording: 'You may.' })
  const lines = [
    '[00:00:12] Grace: I told my manager that I answer messages after eight in the morning, and she agreed at once.',
    '[00:02:05] Grace: I will send you the plan for the spring by Friday.',
    '[00:02:30] Ada Coach: I will read the plan before our next session.',
  ]
  await post(`/appointments/${appointmentId}/transcript`, { text: lines.join('\n') })
  await makeSummary(app.platform, { coachId: coach.id, appointmentId })
}

describe('commitments', () => {
  test('the agenda starts with what sessions left open; what was done since is listed, with the other tasks', async () => {
    const last = await addLastSession()
    await promise(last)
    const next = await addSession()
    expect(await listParts(next)).toMatchObject({ 'Summaries to approve': [expect.any(String)] })
    await post(`/appointments/${last}/summary/approve`)
    await post('/tasks', { title: 'Send the invoice', clientId })
    const { commitments, lastSession } = await load(next)
    expect(commitments).toMatchObject([
      { title: expect.stringContaining('plan for the spring'), owner: 'client', due: 'Mar 13', isOverdue: false },
      { title: expect.stringContaining('read the plan'), owner: 'coach', due: null },
    ])
    expect(commitments![0]!.session).toBe('Session of Mar 9, 2026')
    expect(lastSession).toMatchObject({ id: last, notes: expect.stringContaining('*delegate*') })

    const kept = commitments![0]!
    await post(`/tasks/${kept.id}/complete`)
    expect((await load(next)).commitments).toHaveLength(1)
    expect(await listParts(next)).toEqual({
      'Done since the last session': [`${kept.title}: Grace Hopper, Today`],
      'Other open tasks': ['Send the invoice: You'],
    })
    app.clock.now = new Date('2026-03-12T14:00:00Z')
    const later = await addSession('2026-03-12T15:00:00Z')
    expect(await listParts(later)).not.toHaveProperty('Done since the last session')
    expect((await load(later)).lastSession).toMatchObject({ id: next })
  })

  test('a withdrawn consent leaves nothing of the session in the preparation', async () => {
    const last = await addLastSession()
    await promise(last)
    await post(`/appointments/${last}/summary/approve`)
    const next = await addSession()
    await inTenant(coach, (tx) => saveAgenda(tx, next, { content: 'Her holiday' }))
    await post(`/appointments/${last}/recording-consents/withdraw`)
    const { commitments, agenda, lastSession } = await load(next)
    expect(commitments).toEqual([])
    expect(lastSession!.notes).not.toContain('spring')
    expect(agenda.values.content).toBe('Her holiday')
  })

  test('without the module of tasks there are none', async () => {
    const last = await addLastSession()
    await promise(last)
    await post(`/appointments/${last}/summary/approve`)
    const next = await addSession()
    await switchModules(coach, { tasks: false })
    expect((await load(next)).commitments).toBeNull()
    expect(await listParts(next)).toEqual({})
  })
})

describe('parts of other modules', () => {
  test('each shows what is about this client, and goes when its module is switched off', async () => {
    await addLastSession()
    const next = await addSession()
    const other = (await createClient({ coach, name: 'Ada Lovelace' })).id
    for (const id of [clientId, other]) {
      const lines = [{ description: 'Session', quantity: 1, unitPrice: '150.00' }]
      await post('/invoices', { clientId: id, description: 'Session', lines, dueDate: '2026-03-08T12:00:00Z' })
      await (await clientContextFor(coach, id)).write((ctx) => sendOwnMessage(ctx, { content: `From ${id}` }))
    }
    const product = await post('/products', { name: 'Six sessions', price: '900.00', sessionCount: 6 })
    await post('/purchases', { clientId, productId: product.id, amount: 90_000, paymentMethod: 'cash' })
    const form = await post('/forms', { name: 'Intake', template: 'intake' })
    await answer((await post('/form-submissions', { formId: form.id, clientId })).id)
    const milestones = [{ title: 'First', week: 1, items: [{ kind: 'check', title: 'Rest' }] }]
    await inTenant(coach, async (tx) => {
      const { id: templateId } = await createTemplate(tx, NewTemplate.parse({ name: 'Six weeks', milestones }))
      await assignProgram(tx, { templateId, clientId, startDate: '2026-03-10' })
    })
    const contract = await post('/contracts', { clientId, title: 'Coaching agreement', body: 'We agree.' })
    await post(`/contracts/${contract.id}/send`)
    expect(await listParts(next)).toEqual({
      'Sessions and money': [expect.stringMatching(/6 sessions left: Six sessions/), '$150.00 open: Invoice INV-0001'],
      'Messages since the last session': [`From ${clientId}: 1 message, 1 unread, Today`],
      'Answers since the last session': ['Intake: Answered: Today'],
      Programs: ['Six weeks: 0%. Counted: 0 of 1 done'],
      'Unsigned contracts': ['Coaching agreement: Sent, open until Mar 24'],
    })
    const titles = Object.keys(await listParts(next))
    const modules = ['billing', 'forms', 'messages', 'programs', 'contracts']
    for (const [index, module] of modules.entries()) {
      await switchModules(coach, { [module]: false })
      expect(Object.keys(await listParts(next))).toEqual(titles.filter((_, place) => place !== index))
    }
  })

  /** Fills in a form of the client. */
  async function answer(submissionId: number): Promise<void> {
    const ctx = await contextFor(coach)
    const { version, formVersionId } = (await findAnsweredForm(ctx, submissionId))!
    const sent = { coached: ['No'], goals: ['A team of my own'], profession: ['Engineer'], readiness: ['9'] }
    await submitAnswers(ctx, submissionId, { version, formVersionId, sent })
  }
})

describe('the agenda', () => {
  const save = (id: number, content: string | null, version?: number) =>
    inTenant(coach, (tx) => saveAgenda(tx, id, { content }, version))

  test('is saved once for each version: of two tabs one must reload', async () => {
    const id = await addSession()
    expect((await load(id)).agenda).toEqual({ id: null, version: 1, values: { content: '' } })
    const results = await Promise.allSettled(['one', 'two', 'three'].map((content) => save(id, content, 1)))
    const failed = results.filter(({ status }) => status === 'rejected')
    expect(failed).toHaveLength(2)
    for (const { reason } of failed as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 'conflict', subject: 'agenda' })
    expect((await load(id)).agenda).toMatchObject({ version: 2 })
    await save(id, null, 2)
    expect((await load(id)).agenda).toMatchObject({ version: 3, values: { content: '' } })
  })

  test('has a history, which is erased with the session', async () => {
    const id = await addSession()
    await save(id, 'Sleep')
    const { id: agenda } = await save(id, 'Sleep, and the talk')
    const path = `/history/session_agenda/${agenda}`
    expect(await call('GET', path)).toMatchObject([
      { action: 'changed', changes: [{ field: 'content', from: 'Sleep', to: 'Sleep, and the talk' }] },
      { action: 'created' },
    ])
    await call('DELETE', `/appointments/${id}`)
    await expect(load(id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(save(id, 'Late')).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'appointment'), id))
    expect((await app.call('GET', `/api${path}`, { as: coach })).status).toBe(404)
  })

  test('is the coach’s own: neither another coach nor the client sees it, and a prospect has none', async () => {
    const id = await addSession()
    await save(id, 'Sleep')
    const other = await createCoach()
    await expect(load(id, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(inTenant(other, (tx) => saveAgenda(tx, id, { content: 'Mine' }))).rejects.toMatchObject({
      code: 'not_found',
    })
    const toFound = async (as: Coach) => (await app.call('GET', '/api/search?q=sleep&in=content', { as })).body
    expect(await toFound(coach)).toMatchObject([{ type: 'agenda', to: `/calendar/${id}/prepare` }])
    expect(await toFound(other)).toEqual([])
    const client = await clientContextFor(coach, clientId)
    expect(
      await client.query({
        name: 'test.agendas',
        text: 'select id from session_agenda where coach_id = $1',
        values: [coach.id],
      }),
    ).toEqual([])
    await expect(load(999_999)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the agenda in the API', () => {
  const request = (method: string, id: number, body?: object, as = coach) =>
    app.call(method, `/api/appointments/${id}/agenda`, { as, ...(body ? { body } : {}) })

  test('has the open commitments and the points, which alone are changed', async () => {
    const last = await addLastSession()
    await promise(last)
    await post(`/appointments/${last}/summary/approve`)
    const next = await addSession()
    const { status, body } = await request('GET', next)
    expect([status, body]).toMatchObject([200, { appointmentId: next, content: null, updatedAt: null }])
    expect(body.commitments).toMatchObject([
      {
        title: expect.stringContaining('plan for the spring'),
        owner: 'client',
        dueDate: '2026-03-13',
        appointmentId: last,
      },
      { owner: 'coach', dueDate: null },
    ])
    const changed = await request('PATCH', next, { content: '  Her *holiday*', commitments: [], version: 9 })
    expect(changed.body).toEqual({ ...body, content: '  Her *holiday*', updatedAt: app.clock.now.toISOString() })
    await post(`/tasks/${body.commitments[0].id}/complete`)
    expect((await request('GET', next)).body.commitments).toHaveLength(1)
    expect((await load(next)).agenda.values.content).toBe('  Her *holiday*')
  })

  test('without a field nothing changes, and empty is null', async () => {
    const id = await addSession()
    await request('PATCH', id, { content: 'Sleep' })
    const { version } = (await load(id)).agenda
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    expect((await request('PATCH', id, {})).body).toMatchObject({
      content: 'Sleep',
      updatedAt: '2026-03-10T14:00:00.000Z',
    })
    expect((await load(id)).agenda.version).toBe(version)
    expect((await request('PATCH', id, { content: ' ' })).body).toMatchObject({ content: null })
    for (const content of [1, 'a'.repeat(50_001), 'a\0b'])
      expect((await request('PATCH', id, { content })).status).toBe(422)
  })

  test('without a field is refused neither for a read-only client nor with full storage', async () => {
    const id = await addSession()
    await request('PATCH', id, { content: 'Sleep' })
    const check = async () => {
      expect(await request('PATCH', id, { content: 'x' })).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
      expect(await request('PATCH', id, {})).toMatchObject({ status: 200, body: { content: 'Sleep' } })
    }
    const reaches = vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValue(true)
    await check()
    reaches.mockRestore()
    await post(`/clients/${clientId}/archive`)
    await setPlan(coach, 'free')
    await createClient({ coach, email: 'another@example.com' })
    await check()
  })

  test('a page that was opened before a change by the API must reload; fifty changes at once are all made', async () => {
    const id = await addSession()
    const results = await concurrently(50, (index) => request('PATCH', id, { content: `Point ${index}` }))
    expect(results.filter((result) => result.status === 'rejected' || result.value.status !== 200)).toEqual([])
    expect((await load(id)).agenda.version).toBe(51)
    const stale = inTenant(coach, (tx) => saveAgenda(tx, id, { content: 'Page' }, 1))
    await expect(stale).rejects.toMatchObject({ code: 'conflict' })
  })

  test('of another coach, of a prospect, of a deleted session and of a client in the trash is not found', async () => {
    const own = await addSession()
    const comparable = async (method: string, id: number, as: Coach) => {
      const { status, body } = await request(method, id, method === 'GET' ? undefined : { content: 'Mine' }, as)
      return { status, ...body, requestId: null }
    }
    const other = await createCoach()
    const [stage] = await call('GET', '/pipeline/stages')
    const prospect = await post('/prospects', { name: 'Mary', stageId: stage.id })
    const ofProspect = await addSession('2026-03-11T15:00:00Z', { clientId: undefined, prospectId: prospect.id })
    const deleted = await addSession('2026-03-12T15:00:00Z')
    await call('DELETE', `/appointments/${deleted}`)
    for (const method of ['GET', 'PATCH']) {
      const missing = await comparable(method, 8_999_999_999_999, coach)
      expect(missing).toMatchObject({ status: 404, message: 'Appointment not found' })
      expect(await comparable(method, own, other)).toEqual(missing)
      for (const id of [ofProspect, deleted]) expect(await comparable(method, id, coach)).toEqual(missing)
    }
    await call('DELETE', `/clients/${clientId}`)
    for (const method of ['GET', 'PATCH']) expect(await comparable(method, own, coach)).toMatchObject({ status: 404 })
    await post(`/clients/${clientId}/restore`)
    expect((await request('GET', own)).body).toMatchObject({ content: null })
  })

  test('without the module of tasks has no commitments', async () => {
    const id = await addSession()
    await switchModules(coach, { tasks: false })
    expect((await request('GET', id)).body).toMatchObject({ commitments: null })
  })
})
