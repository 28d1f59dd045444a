import { beforeEach, describe, expect, test } from 'vitest'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { undoConversion } from '#modules/pipeline/services/conversion.ts'
import { getScheduleDialog } from '#modules/scheduling/dialogs.ts'
import { fillPlan } from '#modules/scheduling/e2e/factories.ts'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import type { AppointmentTypeRecord } from '#modules/scheduling/records.ts'
import { addSessionNotes } from '#modules/scheduling/services/appointments.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { bookAsVisitor } from '#modules/scheduling/services/visitor-bookings.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

// The modules pipeline and scheduling together. Each of them works without the other.

const app = createTestApp()
let coach: Coach
let client: number
let prospect: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach()
  client = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
  prospect = (await createProspect({ coach, name: 'Noor van Dijk', email: 'noor@example.com' })).id
})

const post = (path: string, body: object = {}) => app.call('POST', `/api${path}`, { as: coach, body })
const patch = (path: string, body: object) => app.call('PATCH', `/api${path}`, { as: coach, body })
const get = async (path: string) => (await app.call('GET', `/api${path}`, { as: coach })).body
const remove = (path: string) => app.call('DELETE', `/api${path}`, { as: coach })
const session = (more: object = {}) => ({
  title: 'Session 1',
  startTime: '2026-03-10T13:00:00Z',
  endTime: '2026-03-10T14:00:00Z',
  clientId: client,
  ...more,
})
const addNotes = (id: number, notes: string) => inTenant(coach, (ctx) => addSessionNotes(ctx, id, { notes }))
const added = async (more: object = {}) => (await post('/appointments', session(more))).body

describe('an appointment', () => {
  test("is found by its prospect's name, not by their email", async () => {
    const { id } = await added({ clientId: undefined, prospectId: prospect, title: 'First talk' })
    const found = async (term: string) =>
      (await get(`/search?q=${term}`))
        .filter(({ type }: { type: string }) => type === 'appointment')
        .map((one: { id: number }) => one.id)
    expect(await found('VAN D')).toEqual([id])
    expect(await found('example.com')).toEqual([])
    await remove(`/prospects/${prospect}`)
    for (const term of ['first t', 'van d']) expect(await found(term)).toEqual([])
  })

  test('is with a client or a prospect, never both', async () => {
    expect((await post('/appointments', session({ prospectId: prospect }))).status).toBe(422)
    expect(await added({ clientId: null, prospectId: prospect })).toMatchObject({
      clientId: null,
      clientName: null,
      prospectId: prospect,
      prospectName: 'Noor van Dijk',
    })
  })

  test('gets a prospect instead of its client, and the other way round', async () => {
    const { id } = await added()
    expect((await patch(`/appointments/${id}`, { prospectId: prospect })).body).toMatchObject({
      clientId: null,
      prospectId: prospect,
    })
    expect((await patch(`/appointments/${id}`, { clientId: client, prospectId: null })).body).toMatchObject({
      clientId: client,
      prospectId: null,
    })
    expect((await patch(`/appointments/${id}`, { clientId: client, prospectId: prospect })).status).toBe(422)
    expect((await patch(`/appointments/${id}`, { clientId: null })).status).toBe(422)
    expect((await patch(`/appointments/${id}`, { prospectId: null })).body).toMatchObject({ clientId: client })
  })
})

describe('session notes', () => {
  test('of a prospect are kept when the session is undone, and become an interaction when a client replaces the prospect', async () => {
    const { id } = await added({ clientId: null, prospectId: prospect })
    for (const notes of ['Asked for time.', 'Called **again**.', null]) {
      expect((await post(`/appointments/${id}/complete`, { notes })).status).toBe(200)
      await patch(`/appointments/${id}`, { status: 'scheduled' })
    }
    const tooMuch = await post(`/appointments/${id}/complete`, { notes: 'x'.repeat(49_999) })
    expect([tooMuch.status, tooMuch.body.issues]).toEqual([
      422,
      [{ path: 'notes', message: 'Together with the earlier notes: Use at most 50,000 characters' }],
    ])
    await patch(`/appointments/${id}`, { clientId: client, title: 'First session' })
    await patch(`/appointments/${id}`, { title: 'Renamed' })
    expect(await get(`/clients/${client}/interactions`)).toMatchObject([
      {
        name: 'First session',
        content: 'Asked for time.\nCalled **again**.',
        appointmentId: id,
        interactionDate: '2026-03-10T13:00:00.000Z',
      },
    ])
  })

  test('follow those that are kept', async () => {
    const { id } = await added({ clientId: null, prospectId: prospect })
    await post(`/appointments/${id}/complete`, { notes: 'Asked for time.' })
    await addNotes(id, 'Called again.')
    await patch(`/appointments/${id}`, { clientId: client })
    expect(await get(`/clients/${client}/interactions`)).toMatchObject([{ content: 'Asked for time.\nCalled again.' }])
  })
})

describe('prospects', () => {
  test('a deleted prospect hides its appointments, and restoring it shows them again', async () => {
    await added({ clientId: null, prospectId: prospect })
    await remove(`/prospects/${prospect}`)
    expect(await get('/appointments')).toEqual([])
    await post(`/prospects/${prospect}/restore`)
    expect(await get('/appointments')).toHaveLength(1)
  })

  test('a converted prospect keeps its appointments, including deleted ones and notes', async () => {
    const { id } = await added({ clientId: null, prospectId: prospect })
    const trashed = await added({ clientId: null, prospectId: prospect, title: 'Deleted' })
    await remove(`/appointments/${trashed.id}`)
    await post(`/appointments/${id}/complete`, { notes: 'Said yes.' })
    const { body } = await post(`/prospects/${prospect}/convert-to-client`)
    expect(await get(`/appointments/${id}`)).toMatchObject({
      clientId: body.client.id,
      clientName: 'Noor van Dijk',
      prospectId: null,
      sessionCompleted: true,
    })
    expect(await get(`/clients/${body.client.id}/interactions`)).toMatchObject([
      { content: 'Said yes.', appointmentId: id },
    ])
    expect((await post(`/appointments/${trashed.id}/restore`)).body).toMatchObject({ clientId: body.client.id })
    expect((await post('/appointments', session({ clientId: null, prospectId: prospect }))).body.message).toBe(
      'Prospect not found',
    )
  })

  test('an undone conversion gives the prospect its appointments back, with their notes', async () => {
    const { id } = await added({ clientId: null, prospectId: prospect })
    await post(`/appointments/${id}/complete`, { notes: 'Said yes.' })
    const { stageId } = await get(`/prospects/${prospect}`)
    await post(`/prospects/${prospect}/convert-to-client`)
    await addNotes(id, 'Starts in May.')
    await inTenant(coach, (ctx) => undoConversion(ctx, { id: prospect, stageId }))
    expect(await get(`/appointments/${id}`)).toMatchObject({ clientId: null, prospectId: prospect })
    const { body } = await post(`/prospects/${prospect}/convert-to-client`)
    expect(await get(`/clients/${body.client.id}/interactions`)).toMatchObject([
      { content: 'Said yes.\nStarts in May.', appointmentId: id },
    ])
  })

  test('a session with a transcript gets no prospect, neither by a change nor by undoing a conversion', async () => {
    await setPlan(coach, 'pro')
    const { id } = await added({ clientId: null, prospectId: prospect })
    const { stageId } = await get(`/prospects/${prospect}`)
    const { body } = await post(`/prospects/${prospect}/convert-to-client`)
    const consent = { channel: 'spoken', wording: standardWording }
    await post(`/clients/${body.client.id}/recording-consents`, consent)
    expect((await post(`/appointments/${id}/transcript`, { text: 'Noor: I will start in May.' })).status).toBe(201)
    const another = await createProspect({ coach, name: 'Ida Berg', email: 'ida@example.com' })
    expect(await patch(`/appointments/${id}`, { prospectId: another.id })).toMatchObject({ status: 409 })
    const undo = () => inTenant(coach, (ctx) => undoConversion(ctx, { id: prospect, stageId }))
    await expect(undo()).rejects.toMatchObject({ code: 'conflict' })
    expect(await get(`/appointments/${id}`)).toMatchObject({ clientId: body.client.id, prospectId: null })
    await post(`/clients/${body.client.id}/recording-consents/withdraw`)
    await undo()
    expect(await get(`/appointments/${id}`)).toMatchObject({ clientId: null, prospectId: prospect })
  })

  test('scheduling and converting concurrently leaves the appointment with the client', async () => {
    const answers = await concurrently(20, (nth) =>
      nth === 10
        ? post(`/prospects/${prospect}/convert-to-client`)
        : post('/appointments', session({ clientId: null, prospectId: prospect })),
    )
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    expect(statuses.every((status) => [200, 201, 404].includes(status))).toBe(true)
    const left = await get('/appointments')
    expect(left).toHaveLength(statuses.filter((status) => status === 201).length)
    expect(left.filter(({ prospectId }: { prospectId: number | null }) => prospectId !== null)).toEqual([])
  })

  test('are offered in the dialog, among those that the term matches', async () => {
    const ctx = await contextFor(coach)
    expect((await getScheduleDialog(ctx, {})).choices).toMatchObject({
      prospects: [{ label: 'Noor van Dijk' }],
      addProspectTo: '/pipeline?dialog=add',
    })
    expect((await getScheduleDialog(ctx, { who: 'mara' })).choices).toMatchObject({ prospects: [] })
    expect((await getScheduleDialog(ctx, { prospect: String(prospect) })).values.title).toBe('Session with Noor')
  })

  test('lose their appointments when they are erased', async () => {
    const { id } = await added({ clientId: null, prospectId: prospect })
    await inTenant(coach, (ctx) =>
      ctx.query({
        name: 'test.erase',
        text: 'delete from prospect where coach_id = $1 and id = $2',
        values: [coach.id, prospect],
      }),
    )
    expect((await app.call('GET', `/api/appointments/${id}`, { as: coach })).status).toBe(404)
  })
})

describe('a visitor', () => {
  const visitor = { email: 'NOOR@example.com', name: 'Noor', phone: '', place: null, notes: null, answers: [] }
  const book = (type: AppointmentTypeRecord, more: object) =>
    inTenant(coach, (tx) =>
      bookAsVisitor(tx, { ...type, slug: type.slug! }, { ...visitor, timezone: 'UTC', start: new Date(0), ...more }),
    )
  const addType = (newVisitor: 'client' | 'prospect') =>
    inTenant(coach, (tx) =>
      createType(tx, AppointmentTypeInput.parse({ name: `As ${newVisitor}`, visibility: 'public', newVisitor })),
    )

  beforeEach(() =>
    inTenant(coach, (tx) =>
      createSchedule(
        tx,
        ScheduleInput.parse({ name: 'Hours', hours: [{ weekday: 4, start: '09:00', end: '18:00' }], timezone: 'UTC' }),
      ),
    ),
  )

  test('with the address of a prospect stays that prospect, and a new one becomes what the type says', async () => {
    const type = await addType('prospect')
    expect(await book(type, { start: new Date('2026-03-12T10:00:00Z') })).toMatchObject({ prospectId: prospect })
    const mina = { name: 'Mina', email: 'mina@example.com' }
    const added = await book(type, { ...mina, start: new Date('2026-03-12T11:00:00Z') })
    expect(added).toMatchObject({ prospectName: 'Mina', clientId: null })
    const lin = { name: 'Lin', email: 'lin@example.com', start: new Date('2026-03-12T12:00:00Z') }
    expect(await book(await addType('client'), lin)).toMatchObject({ clientName: 'Lin', prospectId: null })
  })

  test('becomes a prospect when the plan has no room for a client', async () => {
    const type = await addType('client')
    await setPlan(coach, 'free')
    await fillPlan(coach)
    const mina = { name: 'Mina', email: 'mina@example.com', start: new Date('2026-03-12T10:00:00Z') }
    expect(await book(type, mina)).toMatchObject({ prospectName: 'Mina', clientId: null })
  })
})
