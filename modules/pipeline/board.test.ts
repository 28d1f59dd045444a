import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCents, maxCents } from '#app/lib/money.ts'
import { search } from '#modules/core/search.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { listTrash, restoreRecord } from '#modules/core/trash.ts'
import { createCoach, inTenant, contextFor, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { boardUrl } from './board-state.ts'
import { contributions } from './contributions.ts'
import { NewProspect } from './forms.ts'
import { getBoard } from './queries/board.ts'
import { convertProspect, undoConversion } from './services/conversion.ts'
import { createProspect, deleteProspect, updateProspect, restoreProspect } from './services/prospects.ts'
import { deleteStage } from './services/stages.ts'
import { seed } from './seed/seed.ts'
import { formatFollowUp, probabilityTone, weightedValue } from './format.ts'

const app = createTestApp()
const add = (coach: Coach, more: object = {}) =>
  inTenant(coach, (ctx) =>
    createProspect(
      ctx,
      NewProspect.parse({ name: 'Leila Haddad', email: 'leila@example.com', stageId: 'lead', ...more }),
    ),
  )
const shown = async (coach: Coach, query: string) =>
  (await getBoard(await contextFor(coach), boardUrl.parse(`/pipeline?${query}`))).rows.map(({ name }) => name)
const filled = async (coach: Coach, slot: string, params: Record<string, string> = {}, order?: number) =>
  contributions
    .find((one) => one.slot === slot && (order === undefined || one.order === order))!
    .load(await contextFor(coach), params)

describe('the texts of a card', () => {
  const now = new Date('2026-03-10T03:00:00Z')

  test.each([
    ['2026-03-07T17:00:00Z', 'Overdue 2d', true],
    ['2026-03-09T17:00:00Z', 'Today', false],
    ['2026-03-10T16:00:00Z', 'Tomorrow', false],
    ['2026-03-14T16:00:00Z', 'Mar 14', false],
    ['2027-01-02T17:00:00Z', 'Jan 2, 2027', false],
  ])('a follow-up at %s is %s on March 9 in New York', (at, text, isOverdue) => {
    expect(formatFollowUp(new Date(at), now, 'America/New_York')).toEqual({ text, isOverdue })
  })

  test('the color of a probability changes at 75, 50 and 25', () => {
    expect([100, 75, 74, 50, 49, 25, 24, 0].map(probabilityTone)).toEqual([
      'success',
      'success',
      'info',
      'info',
      'warning',
      'warning',
      'neutral',
      'neutral',
    ])
  })

  test('the weighted value is computed in whole cents', () => {
    expect(
      weightedValue([
        { value: 9_999_999_999, probability: 100 },
        { value: 101, probability: 50 },
        { value: 3, probability: 33 },
      ]),
    ).toBe(10_000_000_050)
  })
})

describe('amounts are summed exactly', () => {
  const card = fc.record({
    value: fc.integer({ min: 0, max: maxCents }),
    probability: fc.integer({ min: 0, max: 100 }),
  })
  const rounded = (hundredths: bigint) => hundredths / 100n + (hundredths % 100n >= 50n ? 1n : 0n)

  test('the weighted sum of any values equals integer arithmetic', () => {
    fc.assert(
      fc.property(fc.array(card, { maxLength: 3 }), fc.integer({ min: 1, max: 20_000 }), (cards, times) => {
        const many = Array.from({ length: times }, () => cards).flat()
        const exact =
          cards.reduce((sum, { value, probability }) => sum + BigInt(value) * BigInt(probability), 0n) * BigInt(times)
        expect(BigInt(weightedValue(many))).toBe(rounded(exact))
      }),
    )
  })
})

describe('the board', () => {
  test('a URL is parsed and printed the same, and an unknown filter shows everything', () => {
    const address = '/pipeline?q=n%C3%A1n+%25&source=A%26B&likely=50&followup=overdue'
    expect(boardUrl.href(boardUrl.parse(address))).toBe(address)
    expect(boardUrl.href(boardUrl.parse('/pipeline?q=+&likely=51&followup=never&source=%00'))).toBe('/pipeline')
  })

  test("is filtered by text without accents, source, probability and days in the coach's time zone", async () => {
    app.clock.now = new Date('2026-03-10T03:00:00Z')
    const coach = await createCoach({ timezone: 'America/New_York' })
    await add(coach, {
      name: 'Zoë Müller',
      company: 'Søndag',
      source: 'Podcast',
      probability: 80,
      nextFollowUp: '2026-03-08T16:00:00Z',
    })
    await add(coach, {
      name: 'Per 100%',
      title: 'Head_of',
      source: 'podcast',
      probability: 40,
      nextFollowUp: '2026-03-09T16:00:00Z',
    })
    await add(coach, { name: 'Noor', source: 'Web', probability: 10, nextFollowUp: '2026-03-15T16:00:00Z' })
    await add(coach, { name: 'Omar', probability: 0, nextFollowUp: '2026-03-16T16:00:00Z' })
    await add(coach, { name: 'Pia' })

    expect(await shown(coach, 'q=zoe+mul')).toEqual(['Zoë Müller'])
    expect(await shown(coach, 'q=sondag')).toEqual(['Zoë Müller'])
    expect(await shown(coach, 'q=100%25')).toEqual(['Per 100%'])
    expect(await shown(coach, 'q=d_o')).toEqual(['Per 100%'])
    expect(await shown(coach, 'q=%5C')).toEqual([])
    // An accent alone matches nothing.
    expect(await shown(coach, 'q=%CC%81')).toEqual([])
    expect(await shown(coach, 'source=Podcast')).toEqual(['Zoë Müller', 'Per 100%'])
    expect(await shown(coach, 'likely=25')).toEqual(['Zoë Müller', 'Per 100%'])
    expect(await shown(coach, 'followup=overdue')).toEqual(['Zoë Müller'])
    expect(await shown(coach, 'followup=today')).toEqual(['Per 100%'])
    expect(await shown(coach, 'followup=week')).toEqual(['Per 100%', 'Noor'])
    expect(await shown(coach, 'followup=none')).toEqual(['Pia'])
    expect((await getBoard(await contextFor(coach), boardUrl.parse('/pipeline?q=noor'))).rows[0]).toMatchObject({
      rank: 2,
    })
    app.clock.now = new Date('2026-03-10T14:00:00Z')
  })
})

describe('the pipeline on other screens', () => {
  test("the dashboard's count is the number of cards on the board", async () => {
    const coach = await createCoach()
    await add(coach, { value: 10_000, probability: 25 })
    const deleted = await add(coach, { value: 10_000, probability: 25 })
    const won = await add(coach, { value: 10_000, probability: 100 })
    await inTenant(coach, (ctx) => deleteProspect(ctx, deleted.id))
    await inTenant(coach, (ctx) => convertProspect(ctx, won.id))
    expect(await filled(coach, 'dashboard.stat')).toEqual({ count: 1, fact: '$25 weighted' })
    expect((await app.call('GET', '/api/dashboard/stats', { as: coach })).body.activeProspects).toBe(1)
    expect(await shown(coach, '')).toHaveLength(1)
  })

  test('after any changes the dashboard card matches the board that it links to', async () => {
    const fate = fc.constantFrom('stays', 'stays', 'moved', 'trashed', 'restored', 'converted', 'stage deleted')
    const prospect = fc.record({
      value: fc.integer({ min: 0, max: maxCents }),
      probability: fc.integer({ min: 0, max: 100 }),
      fate,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(prospect, { maxLength: 8 }), async (prospects) => {
        const coach = await createCoach()
        for (const { value, probability, fate: what } of prospects) {
          const { id } = await add(coach, {
            value,
            probability,
            stageId: what === 'stage deleted' ? 'qualified' : 'proposal',
          })
          await inTenant(coach, async (ctx) => {
            if (what === 'moved') await updateProspect(ctx, id, { stageId: 'closed_won' })
            if (what === 'trashed' || what === 'restored') await deleteProspect(ctx, id)
            if (what === 'restored') await restoreProspect(ctx, id)
            if (what === 'converted') await convertProspect(ctx, id)
          })
        }
        const { stages } = await getBoard(await contextFor(coach), boardUrl.parse('/pipeline'))
        await inTenant(coach, (ctx) => deleteStage(ctx, stages[1]!.id, { moveTo: 'lead' }))
        const { rows, total: all } = await getBoard(await contextFor(coach), boardUrl.parse('/pipeline'))
        expect(all).toBe(rows.length)
        expect(await filled(coach, 'dashboard.stat')).toEqual({
          count: rows.length,
          fact: rows.length
            ? `${formatCents(weightedValue(rows), { cents: 'never' })} weighted`
            : 'none in the pipeline',
        })
      }),
      { numRuns: 8 },
    )
  })

  test('the search finds a prospect by name and e-mail, until it is a client', async () => {
    const coach = await createCoach()
    const { id } = await add(coach, { name: 'Åsa Ünal', email: 'asa@example.com', company: 'Kvarn' })
    const hits = async (term: string) =>
      (await search(await contextFor(coach), term)).results.map(({ type, title, to }) => [type, title, to])
    expect(await hits('asa un')).toEqual([['prospect', 'Åsa Ünal', `/pipeline?dialog=edit&prospect=${id}`]])
    expect(await hits('ASA@EX')).toHaveLength(1)
    const client = await inTenant(coach, (ctx) => convertProspect(ctx, id))
    expect(await hits('asa un')).toEqual([['client', 'Åsa Ünal', `/clients/${client.id}`]])
  })

  test('an undone conversion moves the client to the trash and the prospect back, to be converted again', async () => {
    const coach = await createCoach()
    const { id, stageId } = await add(coach, { name: 'Ada', stageId: 'closed_won' })
    await add(coach, { name: 'Bea', stageId: 'closed_won' })
    const client = await inTenant(coach, (ctx) => convertProspect(ctx, id))
    for (let call = 0; call < 2; call++)
      expect(await inTenant(coach, (ctx) => undoConversion(ctx, { id, stageId: stageId! }))).toMatchObject({ stageId })
    expect(await shown(coach, '')).toEqual(['Ada', 'Bea'])
    expect(await listTrash(await contextFor(coach))).toMatchObject([{ kind: 'client', id: client.id }])
    expect((await inTenant(coach, (ctx) => convertProspect(ctx, id))).id).not.toBe(client.id)
    await expect(inTenant(coach, (ctx) => undoConversion(ctx, { id, stageId: 0 }))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test("a client's timeline shows the conversion from a prospect", async () => {
    const coach = await createCoach()
    const { id } = await add(coach)
    await inTenant(coach, (ctx) => updateProspect(ctx, id, { stageId: 'closed_won', notes: 'warm' }))
    const client = await inTenant(coach, (ctx) => convertProspect(ctx, id))
    expect(await filled(coach, 'client.timeline', { id: String(client.id), rows: '50' })).toMatchObject([
      { kind: 'prospect', title: 'Converted to a client', text: null },
      { title: 'Moved from Lead to Closed Won' },
      { title: 'Added as a prospect', text: 'Added to Lead', to: `/history/prospect/${id}` },
    ])
  })

  test('a prospect is listed in the trash by name and restored from there', async () => {
    const coach = await createCoach()
    const { id } = await add(coach)
    await inTenant(coach, (ctx) => deleteProspect(ctx, id))
    expect(await listTrash(await contextFor(coach))).toMatchObject([{ kind: 'prospect', id, title: 'Leila Haddad' }])
    await inTenant(coach, (ctx) => restoreRecord(ctx, getRecordKind(ctx, 'prospect'), id))
    expect(await shown(coach, '')).toEqual(['Leila Haddad'])
  })
})

test('the demo pipeline has prospects in every stage and conversions, and is seeded once', async () => {
  const coach = await createCoach()
  const ctx = await contextFor(coach)
  for (const turn of [1, 2]) {
    await seed(ctx, { which: 'first', now: app.clock.now })
    const { rows, stages } = await getBoard(ctx, boardUrl.parse('/pipeline'))
    expect([turn, rows.length]).toEqual([turn, 18])
    expect(new Set(rows.map(({ stageId }) => stageId)).size).toBe(stages.length)
    expect((await app.call('GET', '/api/clients', { as: coach })).body).toHaveLength(6)
  }
})
