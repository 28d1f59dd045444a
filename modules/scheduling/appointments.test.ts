import { dayMs } from '#app/lib/time.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { assertCurrency, runHook } from '#modules/core/hooks.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { eraseTrash } from '#modules/core/trash.ts'
import { setCurrency } from '#tenants/accounts/accounts.ts'
import { createClient, createCoach, inTenant, contextFor, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import { getAppointmentDialog, getScheduleDialog } from './dialogs.ts'
import { AppointmentForm, ScheduleInput } from './forms.ts'
import { findNextSession, getAppointmentDetails, getCalendar, listAppointments } from './queries/appointments.ts'
import { addSessionNotes, completeSession } from './services/appointments.ts'
import { bookSlot } from './services/bookings.ts'
import { updateAppointmentFromForm, createAppointmentFromForm } from './services/local-schedule.ts'
import { createSchedule } from './services/schedules.ts'
import { restoreType } from './services/types.ts'

const app = createTestApp()
let coach: Coach
let client: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach()
  client = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
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
const added = async (more: object = {}) => (await post('/appointments', session(more))).body

describe('an appointment', () => {
  test("is found by its title and its attendee's name, not by their email", async () => {
    const withClient = await added()
    const talk = await added({ title: 'First talk' })
    const found = async (term: string) =>
      (await get(`/search?q=${term}`))
        .filter(({ type }: { type: string }) => type === 'appointment')
        .map(({ id }: { id: number }) => id)
    expect(await found('first t')).toEqual([talk.id])
    expect((await found('WINT')).toSorted()).toEqual([withClient.id, talk.id])
    expect(await found('example.com')).toEqual([])
    await remove(`/clients/${client}`)
    for (const term of ['first t', 'wint']) expect(await found(term)).toEqual([])
  })

  test('is found by its description', async () => {
    const { id } = await added({ title: 'Walk', description: 'Meet at the **light**house' })
    expect(await get('/search?q=lighthouse&in=content')).toEqual([
      {
        type: 'appointment',
        id,
        title: 'Walk',
        subtitle: 'Meet at the lighthouse',
        to: `/calendar?dialog=appointment&appointment=${id}`,
      },
    ])
  })

  test('is found by its place and by the answers of its visitor, not by the questions', async () => {
    const { body: type } = await post('/appointment-types', { name: 'Talk' })
    await inTenant(coach, (tx) =>
      createSchedule(
        tx,
        ScheduleInput.parse({ name: 'Always', hours: [{ weekday: 2, start: '00:00', end: '24:00' }] }),
      ),
    )
    const start = new Date(app.clock.now.getTime() + 7 * dayMs)
    const { id } = await inTenant(coach, (tx) =>
      bookSlot(tx, {
        typeId: type.id,
        isInvited: true,
        start,
        attendee: { clientId: client },
        timezone: 'UTC',
        location: 'The Old Mill, Kiel',
        answers: [
          { question: 'What brings you?', answer: 'Burnout\nand travel' },
          { question: 'Who sent you?', answer: 'My SISTER' },
        ],
      }),
    )
    const found = async (term: string) =>
      (await get(`/search?q=${term}&in=content`)).map((hit: { id: number; subtitle: string }) => [hit.id, hit.subtitle])
    expect(await found('old mill')).toEqual([[id, 'The Old Mill, Kiel']])
    expect(await found('and travel')).toEqual([[id, 'and travel']])
    expect(await found('sister')).toEqual([[id, 'My SISTER']])
    for (const term of ['brings', 'answer']) expect(await found(term)).toEqual([])
    const other = await createCoach()
    expect((await app.call('GET', '/api/search?q=sister&in=content', { as: other })).body).toEqual([])
  })

  test('that comes next is found first, then later ones, then past ones, latest first', async () => {
    const { now } = app.clock
    for (const days of [-20, 90, 2, -1, 30, -90, 1]) {
      const start = now.getTime() + days * dayMs
      await added({
        title: `${days} days`,
        description: 'By the lake',
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 3_600_000).toISOString(),
      })
    }
    for (const query of ['q=days', 'q=the+lake&in=content']) {
      const titles = (await get(`/search?${query}`)).map(({ title }: { title: string }) => title)
      expect(titles).toEqual([1, 2, 30, 90, -1, -20, -90].map((days) => `${days} days`))
    }
  })

  test('has all fields of the API contract, null if empty', async () => {
    const { status, body } = await post(
      '/appointments',
      session({ description: 'Bring the draft.', meetingUrl: 'https://meet.example.com/a' }),
    )
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      coachId: coach.id,
      clientId: client,
      clientName: 'Mara Winter',
      prospectId: null,
      prospectName: null,
      appointmentTypeId: null,
      title: 'Session 1',
      description: 'Bring the draft.',
      startTime: '2026-03-10T13:00:00.000Z',
      endTime: '2026-03-10T14:00:00.000Z',
      timezone: 'America/New_York',
      status: 'scheduled',
      meetingUrl: 'https://meet.example.com/a',
      audioUrl: null,
      googleEventId: null,
      sessionCompleted: false,
      completedAt: null,
      revaiJobId: null,
      summaryGenerated: false,
      recordingDetectionStatus: 'pending',
      recordingDetectionAttempts: 0,
      lastRecordingDetectionAttempt: null,
      seriesId: null,
      createdAt: '2026-03-10T14:00:00.000Z',
      updatedAt: '2026-03-10T14:00:00.000Z',
    })
    expect(await get(`/appointments/${body.id}`)).toEqual(body)
  })

  test.each([
    [{ clientId: undefined }, 'clientId', 'Please select either a client or prospect for the appointment'],
    [{ endTime: '2026-03-10T13:00:00Z' }, 'endTime', 'End time must be after start time.'],
    [{ endTime: '2026-03-10T12:59:00Z' }, 'endTime', 'End time must be after start time.'],
    [{ startTime: '2026-03-10T13:00:00' }, 'startTime', 'Send a time with Z or an offset'],
    [{ startTime: '2026-03-10' }, 'startTime', 'Send a time with Z or an offset'],
    [{ title: '  ' }, 'title', 'Title is required'],
    [{ meetingUrl: 'http://meet.example.com' }, 'meetingUrl', 'Use an address that begins with https://'],
    [{ meetingUrl: 'javascript:alert(1)' }, 'meetingUrl', 'Use an address that begins with https://'],
    [{ status: 'done' }, 'status', 'Choose one of scheduled, confirmed, completed, cancelled'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'Choose a time zone from the list'],
  ])('with %o is rejected at %s', async (change, path, message) => {
    const { status, body } = await post('/appointments', session(change))
    expect(status).toBe(422)
    expect(body.issues).toContainEqual({ path, message })
  })

  test('names the referenced record that does not exist', async () => {
    expect((await post('/appointments', session({ clientId: 999_999 }))).body.message).toBe('Client not found')
    const withProspect = session({ clientId: null, prospectId: 999_999 })
    expect((await post('/appointments', withProspect)).body.message).toBe('Prospect not found')
    expect((await post('/appointments', session({ appointmentTypeId: 999_999 }))).body.message).toBe(
      'Appointment type not found',
    )
  })

  test('can overlap others', async () => {
    await added()
    expect((await post('/appointments', session())).status).toBe(201)
    expect(await get('/appointments')).toHaveLength(2)
  })
})

describe('a change', () => {
  test('without fields is a 200 and changes nothing', async () => {
    const before = await added()
    app.clock.now = new Date('2026-03-10T15:00:00Z')
    const { status, body } = await patch(`/appointments/${before.id}`, {})
    expect([status, body]).toEqual([200, before])
  })

  test('keeps the end after the start, whichever of them is sent', async () => {
    const { id } = await added()
    for (const times of [{ endTime: '2026-03-10T13:00:00Z' }, { startTime: '2026-03-10T14:00:00Z' }]) {
      const { status, body } = await patch(`/appointments/${id}`, times)
      expect([status, body.issues]).toEqual([422, [{ path: 'endTime', message: 'End time must be after start time.' }]])
    }
    expect(
      (
        await patch(`/appointments/${id}`, {
          startTime: '2026-03-11T09:00:00+01:00',
          endTime: '2026-03-11T10:00:00+01:00',
        })
      ).body,
    ).toMatchObject({ startTime: '2026-03-11T08:00:00.000Z' })
  })
})

describe('lists', () => {
  test('are sorted by start and paginated', async () => {
    const days = ['14', '11', '12', '10']
    for (const day of days)
      await added({ title: day, startTime: `2026-03-${day}T13:00:00Z`, endTime: `2026-03-${day}T14:00:00Z` })
    const titles = (list: { title: string }[]) => list.map(({ title }) => title)
    expect(titles(await get('/appointments'))).toEqual(['10', '11', '12', '14'])
    const first = await app.call('GET', '/api/appointments?limit=3', { as: coach })
    const next = /<(.*)>/.exec(first.headers.get('link')!)![1]!
    expect([titles(first.body), titles((await app.call('GET', next, { as: coach })).body)]).toEqual([
      ['10', '11', '12'],
      ['14'],
    ])
    expect(titles(await get('/appointments?from=2026-03-11T13:00:00Z&to=2026-03-14T13:00:00Z'))).toEqual(['11', '12'])
    const other = (await createClient({ coach, name: 'Ida Berg' })).id
    await added({ title: 'other', clientId: other })
    expect(titles(await get(`/appointments?clientId=${other}`))).toEqual(['other'])
    expect((await app.call('GET', '/api/appointments?clientId=999999', { as: coach })).status).toBe(404)
    expect((await app.call('GET', '/api/appointments?from=yesterday', { as: coach })).status).toBe(422)
  })

  test.each([
    [
      'America/New_York',
      '2026-03-10T03:59:59Z',
      '2026-03-10T04:00:00Z',
      '2026-03-11T03:59:59Z',
      '2026-03-11T04:00:00Z',
    ],
    ['Asia/Kolkata', '2026-03-09T18:29:59Z', '2026-03-09T18:30:00Z', '2026-03-10T18:29:59Z', '2026-03-10T18:30:00Z'],
  ])('today is the current day of the coach, in %s', async (timezone, before, first, last, after) => {
    coach = await createCoach({ timezone })
    client = (await createClient({ coach })).id
    for (const startTime of [before, first, last, after])
      await added({
        title: startTime,
        startTime,
        endTime: '2026-03-12T00:00:00Z',
        status: startTime === last ? 'cancelled' : 'scheduled',
      })
    expect((await get('/appointments/today')).map(({ title }: { title: string }) => title)).toEqual([first, last])
  })

  test('the month counts appointments that start in it and are not cancelled', async () => {
    for (const [startTime, status] of [
      ['2026-03-01T04:59:00Z', 'scheduled'],
      ['2026-03-01T05:00:00Z', 'scheduled'],
      ['2026-04-01T03:59:00Z', 'confirmed'],
      ['2026-04-01T04:00:00Z', 'scheduled'],
      ['2026-03-20T12:00:00Z', 'cancelled'],
      ['2026-03-02T12:00:00Z', 'completed'],
    ]) {
      await added({ startTime, endTime: '2026-04-09T00:00:00Z', status })
    }
    expect((await get('/dashboard/stats')).sessionsThisMonth).toBe(3)
  })
})

describe('completing', () => {
  test('happens once, and its notes become an interaction of the client', async () => {
    const { id } = await added()
    const { status, body } = await post(`/appointments/${id}/complete`, { notes: 'Wrote the **letter**.' })
    expect([status, body]).toMatchObject([
      200,
      {
        revAiEnabled: false,
        appointment: { sessionCompleted: true, status: 'completed', completedAt: '2026-03-10T14:00:00.000Z' },
      },
    ])
    app.clock.now = new Date('2026-03-10T16:00:00Z')
    expect((await post(`/appointments/${id}/complete`, { notes: 'Again' })).body).toEqual(body)
    expect(await get(`/clients/${client}/interactions`)).toMatchObject([
      {
        name: 'Session 1',
        content: 'Wrote the **letter**.',
        source: 'manual',
        appointmentId: id,
        interactionDate: '2026-03-10T13:00:00.000Z',
      },
    ])
    expect((await get('/activities'))[0]).toMatchObject({
      type: 'session_completed',
      title: 'Session completed',
      description: 'Mara Winter, Session 1',
      clientId: client,
    })
    expect((await get('/appointments/pending-summaries')).map((one: { id: number }) => one.id)).toEqual([id])
  })

  test('by fifty concurrent calls happens once', async () => {
    const { id } = await added()
    const answers = await concurrently(50, () => inTenant(coach, (ctx) => completeSession(ctx, id, { notes: 'Once.' })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 'fulfilled', value: { sessionCompleted: true } })
    expect(await get(`/clients/${client}/interactions`)).toHaveLength(1)
    expect(
      (await get('/activities')).filter(({ type }: { type: string }) => type === 'session_completed'),
    ).toHaveLength(1)
  })

  test('is rejected before the start and for a cancelled appointment', async () => {
    const ahead = await added({ startTime: '2026-03-10T14:00:01Z', endTime: '2026-03-10T15:00:00Z' })
    expect(await post(`/appointments/${ahead.id}/complete`)).toMatchObject({
      status: 409,
      body: { message: 'This session has not started yet.' },
    })
    const cancelled = await added({ status: 'cancelled' })
    expect(await post(`/appointments/${cancelled.id}/complete`)).toMatchObject({
      status: 409,
      body: { message: 'This session was cancelled.' },
    })
    expect((await post('/appointments/999999/complete')).status).toBe(404)
  })

  test('is set by the status after the start, and undone by another status', async () => {
    const { id } = await added()
    expect((await patch(`/appointments/${id}`, { status: 'completed' })).body).toMatchObject({
      sessionCompleted: true,
      completedAt: '2026-03-10T14:00:00.000Z',
    })
    expect((await get('/activities'))[0].type).toBe('session_completed')
    expect((await patch(`/appointments/${id}`, { status: 'scheduled' })).body).toMatchObject({
      sessionCompleted: false,
      completedAt: null,
    })
    expect(await added({ status: 'completed' })).toMatchObject({ sessionCompleted: true })
    expect(
      await added({ status: 'completed', startTime: '2026-03-11T13:00:00Z', endTime: '2026-03-11T14:00:00Z' }),
    ).toMatchObject({ status: 'completed', sessionCompleted: false })
  })
})

describe('notes added after completing', () => {
  const addNotes = (id: number, notes: string) => inTenant(coach, (ctx) => addSessionNotes(ctx, id, { notes }))

  test('become another interaction of the client, with the title and day of the session', async () => {
    const { id } = await added()
    await post(`/appointments/${id}/complete`, { notes: 'Wrote the letter.' })
    await addNotes(id, 'Sent it **too**.')
    const interaction = { name: 'Session 1', appointmentId: id, interactionDate: '2026-03-10T13:00:00.000Z' }
    expect(await get(`/clients/${client}/interactions`)).toMatchObject([
      { ...interaction, content: 'Sent it **too**.' },
      { ...interaction, content: 'Wrote the letter.' },
    ])
  })

  test('are rejected before the session is completed and while its client is in the trash', async () => {
    const { id } = await added()
    await expect(addNotes(id, 'Early.')).rejects.toMatchObject({ code: 'conflict' })
    await post(`/appointments/${id}/complete`)
    await remove(`/clients/${client}`)
    await expect(addNotes(id, 'Late.')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('attendees', () => {
  test('a deleted client hides its appointments, and restoring it shows them again', async () => {
    const { id } = await added()
    await remove(`/clients/${client}`)
    expect(await get('/appointments')).toEqual([])
    expect((await get('/dashboard/stats')).sessionsThisMonth).toBe(0)
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/complete'],
      ['POST', '/restore'],
    ]) {
      expect(
        (
          await app.call(method!, `/api/appointments/${id}${path}`, {
            as: coach,
            ...(method === 'GET' ? {} : { body: {} }),
          })
        ).status,
      ).toBe(404)
    }
    expect((await get('/trash')).map(({ kind }: { kind: string }) => kind)).toEqual(['client'])
    await post(`/clients/${client}/restore`)
    expect((await get('/appointments')).map((one: { id: number }) => one.id)).toEqual([id])
  })

  test('erasing an attendee erases its appointments', async () => {
    const { id } = await added()
    await remove(`/clients/${client}`)
    app.clock.now = new Date('2026-04-10T14:00:00Z')
    await eraseTrash(app.platform)
    expect(
      await (await contextFor(coach)).query({
        name: 'test.left',
        text: 'select id from appointment where id = $1',
        values: [id],
      }),
    ).toEqual([])
  })
})

describe('the trash', () => {
  test('receives an appointment and restores it', async () => {
    const { id } = await added()
    expect((await remove(`/appointments/${id}`)).status).toBe(204)
    expect((await remove(`/appointments/${id}`)).status).toBe(404)
    expect(await get('/trash')).toMatchObject([
      { kind: 'appointment', id, title: 'Session 1, Mara Winter, Mar 10, 2026' },
    ])
    expect((await post(`/appointments/${id}/restore`)).status).toBe(200)
    expect(await get('/appointments')).toHaveLength(1)
  })

  test('erasing a session keeps its notes as an interaction', async () => {
    const { id } = await added()
    await post(`/appointments/${id}/complete`, { notes: 'Kept.' })
    await remove(`/appointments/${id}`)
    app.clock.now = new Date('2026-04-10T14:00:00Z')
    await eraseTrash(app.platform)
    const ctx = await contextFor(coach)
    expect(
      await ctx.query({
        name: 'test.noted',
        text: 'select content, appointment_id as "appointmentId" from client_interaction',
      }),
    ).toEqual([{ content: 'Kept.', appointmentId: null }])
  })

  test('the history names who moved it', async () => {
    const { id } = await added()
    await patch(`/appointments/${id}`, { startTime: '2026-03-10T12:00:00Z', status: 'confirmed' })
    const [latest] = await get(`/history/appointment/${id}`)
    expect(latest.changes.map(({ label }: { label: string }) => label).toSorted()).toEqual(['Start', 'Status'])
  })
})

describe('an appointment type', () => {
  test('can be booked by nobody until the coach says so, and then has an address of its own', async () => {
    const { body } = await post('/appointment-types', { name: 'Étude: 2 × 30 min' })
    expect(body).toMatchObject({ visibility: 'hidden', slug: null, durations: [60], questions: [], scheduleId: null })
    expect((await patch(`/appointment-types/${body.id}`, { visibility: 'link' })).body.slug).toBe('etude-2-30-min')
    const second = await post('/appointment-types', { name: 'Etude 2 30 min', visibility: 'public' })
    expect(second.body.slug).toBe('etude-2-30-min-2')
    const { status, body: error } = await patch(`/appointment-types/${second.body.id}`, { slug: 'Etude 2 30 Min' })
    expect([status, error.message]).toEqual([409, 'Another appointment type has this address.'])
  })

  test('has durations, questions and limits that are checked', async () => {
    const choice = { label: 'Where?', kind: 'choice', options: ['Here', 'There'] }
    const { body } = await post('/appointment-types', { name: 'Talk', durations: [30, 60, 30], questions: [choice] })
    expect(body).toMatchObject({
      durations: [30, 60],
      questions: [{ id: 'q1', label: 'Where?', kind: 'choice', required: false, options: ['Here', 'There'] }],
    })
    for (const [input, path] of [
      [{ durations: [] }, 'durations'],
      [{ durations: [4] }, 'durations.0'],
      [{ questions: [{ label: 'Where?', kind: 'choice' }] }, 'questions.0.options'],
      [{ bufferBefore: 481 }, 'bufferBefore'],
      [{ dailyLimit: 0 }, 'dailyLimit'],
      [{ color: 'red' }, 'color'],
      [{ visibility: 'everyone' }, 'visibility'],
    ] as const)
      expect((await patch(`/appointment-types/${body.id}`, input)).body.issues?.[0]?.path).toBe(path)
    expect((await patch(`/appointment-types/${body.id}`, { scheduleId: 999_999 })).status).toBe(404)
  })

  test('has a whole price in a currency without a smaller unit', async () => {
    const { body } = await post('/appointment-types', { name: 'Talk', priceCents: 1990 })
    await inTenant(coach, (tx) => setCurrency(tx, 'jpy', async () => true))
    for (const { status, body: error } of [
      await post('/appointment-types', { name: 'Walk', priceCents: 1990 }),
      await patch(`/appointment-types/${body.id}`, { priceCents: 1990 }),
    ])
      expect([status, error.message]).toEqual([422, 'Japanese Yen has no smaller unit: use a whole amount'])
    expect((await patch(`/appointment-types/${body.id}`, { priceCents: 2000 })).body.priceCents).toBe(2000)
  })

  test('keeps a currency in which its price can’t be paid from being chosen', async () => {
    const { body } = await post('/appointment-types', { name: 'Talk', priceCents: 1990 })
    const choose = (currency: string) => inTenant(coach, (tx) => runHook(tx, assertCurrency, { currency }))
    await choose('eur')
    await expect(choose('jpy')).rejects.toMatchObject({
      code: 'conflict',
      message: 'Japanese Yen has no smaller unit. Make the price of the appointment type “Talk” a whole amount first.',
    })
    await remove(`/appointment-types/${body.id}`)
    await choose('jpy')
    await inTenant(coach, (tx) => setCurrency(tx, 'jpy', async () => true))
    await expect(inTenant(coach, (tx) => restoreType(tx, body.id))).rejects.toThrow('no smaller unit')
  })

  test('has a color, which the calendar and the details of its sessions show', async () => {
    const { body: type } = await post('/appointment-types', { name: 'Talk', color: '#3b82f6' })
    const { id, startTime } = await added({ appointmentTypeId: type.id })
    const ctx = await contextFor(coach)
    const from = new Date(startTime)
    const { appointments } = await getCalendar(ctx, { from, to: new Date(from.getTime() + 1), clientId: null })
    expect(appointments[0]).toMatchObject({ id, color: '#3b82f6' })
    expect(await getAppointmentDetails(ctx, id)).toMatchObject({ typeName: 'Talk', typeColor: '#3b82f6' })
  })

  test('has a unique name, ignoring case', async () => {
    const { status, body } = await post('/appointment-types', { name: 'Coaching' })
    expect([status, body]).toMatchObject([
      201,
      { id: expect.any(Number), coachId: coach.id, name: 'Coaching', createdAt: '2026-03-10T14:00:00.000Z' },
    ])
    expect((await post('/appointment-types', { name: ' cOACHING ' })).status).toBe(409)
    const other = (await post('/appointment-types', { name: 'Discovery' })).body
    expect((await patch(`/appointment-types/${other.id}`, { name: 'COACHING' })).status).toBe(409)
    expect((await patch(`/appointment-types/${other.id}`, { name: 'discovery' })).body.name).toBe('discovery')
    expect((await post('/appointment-types', { name: ' ' })).body.issues).toEqual([
      { path: 'name', message: 'Name is required' },
    ])
  })

  test('is created once by fifty concurrent calls with one name', async () => {
    const answers = await concurrently(50, () => post('/appointment-types', { name: 'Coaching' }))
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0)).toSorted()).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 409),
    ])
  })

  test('that concurrent sessions name first is created once', async () => {
    const form = AppointmentForm.parse({
      title: 'Session 1',
      attendee: `client-${client}`,
      type: 'new:Coaching',
      date: '2026-03-11',
      startTime: '09:00',
      endTime: '10:00',
    })
    const answers = await concurrently(10, () => inTenant(coach, (ctx) => createAppointmentFromForm(ctx, form)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'fulfilled'))
    const [type, ...others] = await get('/appointment-types')
    expect(others).toEqual([])
    expect(
      new Set((await get('/appointments')).map((one: { appointmentTypeId: number }) => one.appointmentTypeId)),
    ).toEqual(new Set([type.id]))
  })

  test('that is deleted is removed from its appointments, and restored with them', async () => {
    const type = (await post('/appointment-types', { name: 'Coaching' })).body.id
    const { id } = await added({ appointmentTypeId: type })
    expect((await remove(`/appointment-types/${type}`)).status).toBe(204)
    expect((await get(`/appointments/${id}`)).appointmentTypeId).toBe(null)
    // Its form shows none and keeps it that way.
    await inTenant(coach, (ctx) => updateAppointmentFromForm(ctx, id, { title: 'Renamed', type: null }))
    const again = (await post('/appointment-types', { name: 'coaching' })).body.id
    expect((await post(`/appointment-types/${type}/restore`)).status).toBe(409)
    await remove(`/appointment-types/${again}`)
    expect((await post(`/appointment-types/${type}/restore`)).status).toBe(200)
    expect((await get(`/appointments/${id}`)).appointmentTypeId).toBe(type)
  })
})

test("a client's next session is the first one ahead that is not cancelled", async () => {
  const ctx = await contextFor(coach)
  expect(await findNextSession(ctx, client)).toBe(null)
  await added({ startTime: '2026-03-11T13:00:00Z', endTime: '2026-03-11T14:00:00Z', status: 'cancelled' })
  await added({ title: 'Later', startTime: '2026-03-13T13:00:00Z', endTime: '2026-03-13T14:00:00Z' })
  await added({ title: 'Next', startTime: '2026-03-12T13:00:00Z', endTime: '2026-03-12T14:00:00Z' })
  expect(await findNextSession(ctx, client)).toMatchObject({ title: 'Next' })
})

describe('a new session', () => {
  const suggested = async (params: Record<string, string>) =>
    (await getScheduleDialog(await contextFor(coach), params)).values

  test('starts at nine on the next possible day', async () => {
    expect(await suggested({})).toMatchObject({ title: '', date: '2026-03-11', startTime: '09:00', endTime: '10:00' })
    app.clock.now = new Date('2026-03-10T12:59:00Z')
    expect(await suggested({})).toMatchObject({ date: '2026-03-10', startTime: '09:00' })
    expect(await suggested({ date: '2026-03-20' })).toMatchObject({ date: '2026-03-20', startTime: '09:00' })
    expect(await suggested({ date: '2026-03-20', time: '16:15' })).toMatchObject({
      startTime: '16:15',
      endTime: '17:15',
    })
  })

  test('is titled after its client, and repeats the weekday and time of the latest session', async () => {
    await added({ startTime: '2026-02-26T20:30:00Z', endTime: '2026-02-26T21:30:00Z' })
    expect(await suggested({ client: String(client) })).toMatchObject({
      title: 'Session with Mara',
      date: '2026-03-12',
      startTime: '15:30',
    })
  })
})

test('among many people the dialog searches by name and keeps the current attendee', async () => {
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.many',
      text: `insert into client (coach_id, name, email, created_at, updated_at) select $1, 'Person ' || n, 'person@example.com', now(), now() from generate_series(1, 101) n`,
      values: [coach.id],
    }),
  )
  const ctx = await contextFor(coach)
  expect((await getScheduleDialog(ctx, {})).choices).toMatchObject({
    hasMore: true,
    who: '',
    clients: { length: 100 },
  })
  expect((await getScheduleDialog(ctx, { who: 'PERSON 77' })).choices).toMatchObject({
    hasMore: false,
    clients: [{ label: 'Person 77' }],
  })
  const { id } = await added()
  const dialog = await getAppointmentDialog(ctx, 'edit-appointment', { appointment: String(id), who: 'person 77' })
  expect(dialog).toMatchObject({
    kind: 'edit-appointment',
    choices: { clients: [{ label: 'Mara Winter' }, { label: 'Person 77' }] },
  })
  expect(await getAppointmentDialog(ctx, 'appointment', { appointment: '999999' })).toEqual({
    kind: 'not-found',
    id: 999_999,
  })
})

test('a list requires its permission', async () => {
  const ctx = { ...(await contextFor(coach)), can: () => false }
  await expect(listAppointments(ctx, {})).rejects.toMatchObject({ code: 'forbidden' })
})

test('the sentence below the greeting says how many sessions are left today and which one is next', async () => {
  const greet = async () => (await fillSlot(await contextFor(coach), 'dashboard.greeting'))[0]!.data
  expect(await greet()).toBe('No upcoming sessions.')
  await added({ startTime: '2026-03-13T14:30:00Z', endTime: '2026-03-13T15:30:00Z' })
  expect(await greet()).toBe('No sessions left today. Mara Winter is next, Fri, Mar 13, at 10:30 AM.')
  await added({ startTime: '2026-03-11T18:00:00Z', endTime: '2026-03-11T19:00:00Z' })
  expect(await greet()).toBe('No sessions left today. Mara Winter is next, tomorrow at 2:00 PM.')
  await added({ startTime: '2026-03-10T14:30:00Z', endTime: '2026-03-10T15:30:00Z', status: 'cancelled' })
  await added({ startTime: '2026-03-10T15:00:00Z', endTime: '2026-03-10T16:00:00Z' })
  expect(await greet()).toBe('1 session left today. Mara Winter is next, at 11:00 AM.')
})
