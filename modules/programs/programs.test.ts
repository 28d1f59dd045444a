import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eraseRecord } from '#modules/core/trash.ts'
import { searchAll } from '#modules/core/search.ts'
import { deleteClient } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { limits } from './fields.ts'
import { NewGoal, NewTemplate } from './forms.ts'
import { loadPortalPrograms } from './portal.ts'
import { getProgress, listProgress, measureGoal } from './progress.ts'
import { listItems, listItemsOfClient, toCounted } from './queries/items.ts'
import { listGoals, listValues } from './queries/goals.ts'
import { getProgramRow, listPrograms } from './queries/programs.ts'
import { getTemplate, getTemplateForEdit } from './queries/templates.ts'
import { createGoal, deleteGoal, recordOwnValue, recordValue, restoreGoal, updateGoal } from './services/goals.ts'
import { addProgramItem, deleteProgramItem, setItemDone, setOwnItemDone } from './services/items.ts'
import {
  assignProgram,
  completeProgram,
  deleteProgram,
  reopenProgram,
  restoreProgram,
  setProgress,
} from './services/programs.ts'
import { shiftDates } from './services/shift-dates.ts'
import {
  createTemplate,
  deleteItem,
  deleteMilestone,
  deleteTemplate,
  moveItem,
  moveMilestone,
  saveItem,
  saveMilestone,
} from './services/templates.ts'

const app = createTestApp()

const milestones = [
  {
    title: 'Look',
    week: 1,
    items: [
      { kind: 'check', title: 'Write', days: 2 },
      { kind: 'check', title: 'Read' },
    ],
  },
  { title: 'Act', week: 3, items: [{ kind: 'check', title: 'Try', days: 0 }] },
  { title: 'Rest', week: 5 },
]
const addTemplate = (coach: Coach, fields: object = {}) =>
  inTenant(coach, (tx) => createTemplate(tx, NewTemplate.parse({ name: 'Calm', milestones, ...fields })))

const assign = (coach: Coach, templateId: number, clientId: number, startDate = '2026-03-10') =>
  inTenant(coach, (tx) => assignProgram(tx, { templateId, clientId, startDate }))

async function start(fields: object = {}) {
  const coach = await createCoach()
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const template = await addTemplate(coach, fields)
  const program = await assign(coach, template.id, client.id)
  return { coach, client, template, program }
}

const load = async (coach: Coach, id: number) => listItems(await contextFor(coach), [id])
const listDates = async (coach: Coach, id: number) => {
  const found = await load(coach, id)
  return [found.milestones.map(({ startDate }) => startDate), found.items.map(({ dueDate }) => dueDate)]
}
const loadProgress = async (ctx: Ctx, id: number) => {
  const [{ items }, { progress }] = [await listItems(ctx, [id]), await getProgramRow(ctx, id)]
  return getProgress(toCounted(items), progress, ctx.now().toISOString())
}

describe('a template', () => {
  test('is put together and ordered one step at a time', async () => {
    const coach = await createCoach()
    const { id } = await addTemplate(coach, { milestones: [] })
    const save = (title: string, week: number, milestone?: string) =>
      inTenant(coach, async (tx) => {
        const { version } = await getTemplateForEdit(tx, id)
        await saveMilestone(tx, { id, version, milestone, title, description: null, week })
      })
    await save('One', 1)
    await save('Two', 2)
    const [one, two] = (await getTemplate(await contextFor(coach), id)).milestones
    const add = (title: string) =>
      inTenant(coach, async (tx) => {
        const { version } = await getTemplateForEdit(tx, id)
        await saveItem(tx, { id, version, milestone: two!.id, kind: 'check', title, owner: 'client' })
      })
    await add('a')
    await add('b')
    await inTenant(coach, (tx) => moveMilestone(tx, id, { milestone: two!.id, to: 0 }))
    const { items } = (await getTemplate(await contextFor(coach), id)).milestones[0]!
    await inTenant(coach, (tx) => moveItem(tx, id, { milestone: two!.id, item: items[1]!.id, to: 0 }))
    const { milestones: moved } = await getTemplate(await contextFor(coach), id)
    expect(moved.map(({ title, items: own }) => [title, own.map((item) => item.title)])).toEqual([
      ['Two', ['b', 'a']],
      ['One', []],
    ])
    await inTenant(coach, (tx) => deleteItem(tx, id, { milestone: two!.id, item: items[1]!.id }))
    await inTenant(coach, (tx) => deleteMilestone(tx, id, one!.id))
    const rest = (await getTemplate(await contextFor(coach), id)).milestones
    expect(rest.map(({ items: own }) => own.map(({ title }) => title))).toEqual([['a']])
  })

  test('refuses what was changed in another tab, what is unknown and what is too much', async () => {
    const coach = await createCoach()
    const { id } = await addTemplate(coach)
    const save = (fields: object) =>
      inTenant(coach, (tx) =>
        saveMilestone(tx, { id, version: 1, title: 'New', description: null, week: 1, ...fields }),
      )
    await save({})
    await expect(save({})).rejects.toMatchObject({ code: 'conflict' })
    await expect(save({ version: 2, milestone: 'none' })).rejects.toMatchObject({ code: 'not_found' })
    const many = Array.from({ length: 51 }, () => ({ title: 'x', week: 1 }))
    expect(NewTemplate.safeParse({ name: 'x', milestones: many }).success).toBe(false)
    const full = await addTemplate(coach, { name: 'Full', milestones: many.slice(1) })
    await expect(
      inTenant(coach, (tx) =>
        saveMilestone(tx, { id: full.id, version: 1, title: 'One more', description: null, week: 1 }),
      ),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('stays for the programs that were made from it', async () => {
    const { coach, template, program } = await start()
    await inTenant(coach, (tx) => deleteTemplate(tx, template.id))
    await inTenant(coach, async (tx) => {
      const kind = tx.extensions.recordKinds.find((one) => one.kind === 'program_template')!
      await eraseRecord(tx, kind, template.id)
    })
    expect(await getProgramRow(await contextFor(coach), program.id)).toMatchObject({ name: 'Calm', templateId: null })
  })
})

describe('assigning', () => {
  test('copies the template, with dates from its start', async () => {
    const { coach, client, program } = await start()
    expect(program).toMatchObject({ name: 'Calm', clientId: client.id, startDate: '2026-03-10', completedAt: null })
    expect(await listDates(coach, program.id)).toEqual([
      ['2026-03-10', '2026-03-24', '2026-04-07'],
      ['2026-03-12', null, '2026-03-24'],
    ])
  })

  test('takes as many statements for the largest template as for a small one', async () => {
    const coach = await createCoach()
    const assignCounted = async (template: { id: number }) => {
      const { id: clientId } = await createClient({ coach })
      let statements = 0
      const program = await inTenant(coach, (tx) => {
        const query: typeof tx.query = (statement) => (statements++, tx.query(statement))
        return assignProgram({ ...tx, query }, { templateId: template.id, clientId, startDate: '2026-03-10' })
      })
      return { statements, program }
    }
    const titles = (count: number) => Array.from({ length: count }, (_, index) => `Step ${index + 1}`)
    const items = titles(limits.items).map((title) => ({ kind: 'check', title, days: 1 }))
    const large = titles(limits.milestones).map((title, index) => ({ title, week: index + 1, items }))
    const small = await assignCounted(await addTemplate(coach))
    const { statements, program } = await assignCounted(await addTemplate(coach, { name: 'Long', milestones: large }))
    expect(statements).toBe(small.statements)
    const copied = await load(coach, program.id)
    expect([copied.milestones.length, copied.items.length]).toEqual([
      limits.milestones,
      limits.milestones * limits.items,
    ])
    expect(copied.items.at(-1)).toMatchObject({ title: `Step ${limits.items}`, dueDate: '2027-02-17' })
  })

  test('one template twice at once makes one program, and another one only after it is completed', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { id } = await addTemplate(coach)
    const results = await concurrently(4, () => assign(coach, id, client.id))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    const [first] = await listPrograms(await contextFor(coach))
    await inTenant(coach, (tx) => completeProgram(tx, first!.id))
    const second = await assign(coach, id, client.id)
    await expect(inTenant(coach, (tx) => reopenProgram(tx, first!.id))).rejects.toMatchObject({ code: 'conflict' })
    await inTenant(coach, (tx) => deleteProgram(tx, second.id))
    await inTenant(coach, (tx) => reopenProgram(tx, first!.id))
    await expect(inTenant(coach, (tx) => restoreProgram(tx, second.id))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('needs a template with milestones, and a client of the coach who is not in the trash', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const empty = await addTemplate(coach, { milestones: [] })
    await expect(assign(coach, empty.id, client.id)).rejects.toMatchObject({ code: 'validation_failed' })
    const { id } = await addTemplate(coach)
    const other = await createCoach()
    await expect(assign(coach, id, (await createClient({ coach: other })).id)).rejects.toMatchObject({
      code: 'not_found',
    })
    await inTenant(coach, (tx) => deleteClient(tx, client.id))
    await expect(assign(coach, id, client.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('makes a program that the search finds, and that goes with its client', async () => {
    const { coach, client, program } = await start({ name: 'Lighthouse' })
    const hits = async () => (await searchAll(await contextFor(coach), 'lighthouse')).results.map(({ to }) => to)
    expect(await hits()).toEqual(expect.arrayContaining([`/programs/${program.id}`]))
    await inTenant(coach, (tx) => deleteClient(tx, client.id))
    expect(await hits()).not.toContain(`/programs/${program.id}`)
    await inTenant(coach, async (tx) => {
      const kind = tx.extensions.recordKinds.find((one) => one.kind === 'client')!
      await eraseRecord(tx, kind, client.id)
    })
    expect(await listPrograms(await contextFor(coach))).toEqual([])
  })
})

describe('ticking', () => {
  test('in two tabs at once keeps one time and is one event; taking it back too', async () => {
    const { coach, client, program } = await start()
    const [item] = (await load(coach, program.id)).items
    const ctx = await clientContextFor(coach, client.id)
    const tick = (index: number) =>
      index % 2
        ? inTenant(coach, (tx) => setItemDone(tx, item!.id, true))
        : ctx.write((tx) => setOwnItemDone(tx, item!.id, true))
    const results = await concurrently(6, tick)
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
    const { doneAt } = (await load(coach, program.id)).items[0]!
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    await tick(0)
    expect((await load(coach, program.id)).items[0]!.doneAt).toBe(doneAt)
    await ctx.write((tx) => setOwnItemDone(tx, item!.id, false))
    expect((await load(coach, program.id)).items[0]!.doneAt).toBeNull()
  })

  test('is for the client’s own items: not those of another client, of the coach, or of a program in the trash', async () => {
    const { coach, client, template, program } = await start({
      milestones: [
        { title: 'Look', week: 1, items: [{ kind: 'check', title: 'Mine', owner: 'coach' }, ...milestones[0]!.items!] },
      ],
    })
    const sibling = await createClient({ coach, email: 'other@example.com' })
    await assign(coach, template.id, sibling.id)
    const { items } = await load(coach, program.id)
    const tryAs = async (clientId: number, itemId: number) =>
      (await clientContextFor(coach, clientId)).write((tx) => setOwnItemDone(tx, itemId, true))
    const own = await listItems(await clientContextFor(coach, client.id), [program.id])
    expect(own.items.map(({ title }) => title)).toEqual(['Write', 'Read'])
    await expect(tryAs(client.id, items[0]!.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(tryAs(sibling.id, items[1]!.id)).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(coach, (tx) => deleteProgram(tx, program.id))
    await expect(tryAs(client.id, items[1]!.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the home page of the portal shows only running programs, each with its own items', async () => {
    const { coach, client, program, template } = await start()
    const second = await assign(coach, (await addTemplate(coach)).id, client.id)
    const sibling = await createClient({ coach, email: 'other@example.com' })
    await assign(coach, template.id, sibling.id)
    const loadHome = async (id: number) => loadPortalPrograms(await clientContextFor(coach, id))
    const { items } = await load(coach, second.id)
    const ids = async () =>
      (await loadHome(client.id))?.programs.map(({ id, next, progress }) => [id, next[0]?.id, progress.text])
    expect(await ids()).toEqual([
      [second.id, items[0]!.id, 'Counted: 0 of 3 done'],
      [program.id, (await load(coach, program.id)).items[0]!.id, 'Counted: 0 of 3 done'],
    ])
    // For the coach row level security hides neither other clients nor the trash.
    const ctx = await contextFor(coach)
    const listProgramIds = async () => {
      const { milestones: own, items: all } = await listItemsOfClient(ctx, client.id)
      return [...new Set([...own, ...all].map(({ programId }) => programId))].toSorted((a, b) => a - b)
    }
    expect(await listProgramIds()).toEqual([program.id, second.id])
    await inTenant(coach, (tx) => completeProgram(tx, program.id))
    expect((await ids())?.map(([id]) => id)).toEqual([second.id])
    expect(await listProgramIds()).toEqual([second.id])
    await inTenant(coach, (tx) => deleteProgram(tx, second.id))
    expect(await loadHome(client.id)).toBeNull()
    expect(await listProgramIds()).toEqual([])
  })

  test('an item is added to and removed from a client’s program alone', async () => {
    const { coach, template, program } = await start()
    const { milestones: own } = await load(coach, program.id)
    await inTenant(coach, (tx) =>
      addProgramItem(tx, program.id, {
        milestoneId: own[0]!.id,
        kind: 'check',
        title: 'Extra',
        owner: 'client',
        dueDate: null,
      }),
    )
    const titles = async () => (await load(coach, program.id)).items.map(({ title }) => title)
    expect(await titles()).toEqual(['Write', 'Read', 'Extra', 'Try'])
    const added = (await load(coach, program.id)).items[2]!
    await inTenant(coach, (tx) => deleteProgramItem(tx, added.id))
    expect(await titles()).toEqual(['Write', 'Read', 'Try'])
    expect((await getTemplate(await contextFor(coach), template.id)).milestones[0]!.items).toHaveLength(2)
  })
})

test('an added item is the last one of its milestone, also after others were removed', async () => {
  const { coach, program } = await start()
  const { milestones: own } = await load(coach, program.id)
  const add = (title: string) => {
    const item = { milestoneId: own[0]!.id, kind: 'check', title, owner: 'client', dueDate: null } as const
    return inTenant(coach, (tx) => addProgramItem(tx, program.id, item))
  }
  const first = await add('First')
  await add('Second')
  await inTenant(coach, (tx) => deleteProgramItem(tx, first))
  await add('Third')
  expect((await load(coach, program.id)).items.map(({ title }) => title)).toEqual([
    'Write',
    'Read',
    'Second',
    'Third',
    'Try',
  ])
})

describe('dates', () => {
  test('are not shifted back once there is another item', async () => {
    const { coach, program } = await start()
    const shifted = await inTenant(coach, (tx) => shiftDates(tx, { id: program.id, version: 1, days: 7 }))
    const [milestone] = (await load(coach, program.id)).milestones
    const extra = { kind: 'check', title: 'Extra', owner: 'client', dueDate: '2026-04-01' } as const
    await inTenant(coach, (tx) => addProgramItem(tx, program.id, { milestoneId: milestone!.id, ...extra }))
    const undo = { id: program.id, version: shifted.version, days: -7 }
    await expect(inTenant(coach, (tx) => shiftDates(tx, undo))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('shift together but for what is done, and back again', async () => {
    const { coach, program } = await start()
    const before = await listDates(coach, program.id)
    const { items } = await load(coach, program.id)
    await inTenant(coach, (tx) => setItemDone(tx, items[2]!.id, true))
    const shifted = await inTenant(coach, (tx) => shiftDates(tx, { id: program.id, version: 1, days: 7 }))
    // All of the second milestone is done; the third has no items.
    expect(await listDates(coach, program.id)).toEqual([
      ['2026-03-17', '2026-03-24', '2026-04-14'],
      ['2026-03-19', null, '2026-03-24'],
    ])
    await inTenant(coach, (tx) => shiftDates(tx, { id: program.id, ...shifted, days: -7 }))
    expect(await listDates(coach, program.id)).toEqual(before)
  })

  test('shifted in two tabs at once move once', async () => {
    const { coach, program } = await start()
    const results = await concurrently(3, () =>
      inTenant(coach, (tx) => shiftDates(tx, { id: program.id, version: 1, days: 7 })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await listDates(coach, program.id))[0]![0]).toBe('2026-03-17')
  })
})

describe('progress', () => {
  test('is counted, or set by hand until it is counted again', async () => {
    const { coach, program } = await start()
    const ctx = await contextFor(coach)
    const { items } = await load(coach, program.id)
    expect(await loadProgress(ctx, program.id)).toEqual({ percent: 0, done: 0, total: 3, setAt: null })
    await inTenant(coach, (tx) => setItemDone(tx, items[0]!.id, true))
    expect(await loadProgress(ctx, program.id)).toEqual({ percent: 33, done: 1, total: 3, setAt: null })
    await inTenant(coach, (tx) => setProgress(tx, program.id, 80))
    expect(await loadProgress(ctx, program.id)).toMatchObject({ percent: 80, setAt: app.clock.now.toISOString() })
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    await inTenant(coach, (tx) => setProgress(tx, program.id, null))
    expect(await loadProgress(ctx, program.id)).toMatchObject({ percent: 33, setAt: null })
  })

  test('is that of a plain count, whatever is ticked, taken back, set and when', async () => {
    const { coach, client, program } = await start({
      milestones: [{ title: 'All', week: 1, items: 'abcdefg'.split('').map((title) => ({ kind: 'check', title })) }],
    })
    const { items } = await load(coach, program.id)
    const step = fc.oneof(
      fc.record({ item: fc.nat(items.length - 1), isDone: fc.boolean(), byClient: fc.boolean() }),
      fc.record({ percent: fc.option(fc.integer({ min: 0, max: 100 })) }),
    )
    const done = new Set<number>()
    let set: number | null = null
    const days = new Map<string, number>()
    const toDay = (at: string) => at.slice(0, 10)
    const plain = () => set ?? Math.floor((done.size / items.length) * 100)
    days.set(toDay(app.clock.now.toISOString()), plain())
    const steps = fc.sample(fc.tuple(step, fc.integer({ min: 1, max: 50 })), { numRuns: 60, seed: 7 })
    for (const [change, hours] of steps) {
      app.clock.now = new Date(app.clock.now.getTime() + hours * 3_600_000)
      if ('percent' in change) {
        await inTenant(coach, (tx) => setProgress(tx, program.id, change.percent))
        set = change.percent
      } else {
        const { id } = items[change.item]!
        if (change.byClient)
          await (await clientContextFor(coach, client.id)).write((tx) => setOwnItemDone(tx, id, change.isDone))
        else await inTenant(coach, (tx) => setItemDone(tx, id, change.isDone))
        if (change.isDone) done.add(id)
        else done.delete(id)
      }
      for (const ctx of [await contextFor(coach), await clientContextFor(coach, client.id)])
        expect(await loadProgress(ctx, program.id)).toMatchObject({ percent: plain(), done: done.size })
    }
  })

  test('over time has the last value of each day, and the set one while it was set', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ createdAt: fc.nat(9), doneAt: fc.option(fc.nat(20)) }), { maxLength: 12 }),
        fc.array(fc.record({ at: fc.nat(20), percent: fc.option(fc.nat(100)) }), { maxLength: 4 }),
        (rows, settings) => {
          const toAt = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour * 5)).toISOString()
          const items = rows.map(({ createdAt, doneAt }) => ({
            createdAt: toAt(createdAt),
            doneAt: doneAt === null ? null : toAt(doneAt),
          }))
          const entries = settings.toSorted((a, b) => a.at - b.at).map(({ at, percent }) => ({ at: toAt(at), percent }))
          const points = listProgress(items, entries, { now: toAt(20), toDay: (at) => at.slice(0, 10) })
          expect(points.map(({ day }) => day)).toEqual([...new Set(points.map(({ day }) => day))].sort())
          for (const { day, percent } of points) {
            const end = day === toAt(20).slice(0, 10) ? toAt(20) : `${day}T23:59:59.999Z`
            const there = items.filter(({ createdAt }) => createdAt <= end)
            const finished = there.filter(({ doneAt }) => doneAt && doneAt <= end)
            const last = entries.filter(({ at }) => at <= end).at(-1)?.percent ?? null
            const counted = there.length ? Math.floor((finished.length * 100) / there.length) : 0
            expect(percent).toBe(last ?? counted)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a goal', () => {
  const weight = { title: 'Weight', unit: 'kg', start: 90, target: 80 }

  test('is updated by client and coach, and keeps each value', async () => {
    const { coach, client, program } = await start()
    const { id } = await inTenant(coach, (tx) => createGoal(tx, program.id, weight))
    const ctx = await clientContextFor(coach, client.id)
    await ctx.write((tx) => recordOwnValue(tx, id, 87.5))
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    await inTenant(coach, (tx) => recordValue(tx, id, 85))
    for (const one of [ctx, await contextFor(coach)]) {
      expect(await listGoals(one, [program.id])).toMatchObject([{ value: 85, setBy: 'coach', start: 90, target: 80 }])
      expect((await listValues(one, [id], 10)).map(({ value, setBy }) => [value, setBy])).toEqual([
        [85, 'coach'],
        [87.5, 'client'],
      ])
    }
    expect(measureGoal({ ...weight, value: 85 })).toBe(50)
    expect([95, 80, 70].map((value) => measureGoal({ ...weight, value }))).toEqual([0, 100, 100])
  })

  test('keeps a value that a client enters twice within ten seconds once', async () => {
    const { coach, client, program } = await start()
    const { id } = await inTenant(coach, (tx) => createGoal(tx, program.id, weight))
    const ctx = await clientContextFor(coach, client.id)
    const enter = (value: number) => ctx.write((tx) => recordOwnValue(tx, id, value))
    const list = async () => (await listValues(ctx, [id], 10)).map(({ value }) => value)
    await Promise.all([87.5, 87.5, 87.5].map(enter))
    expect(await list()).toEqual([87.5])
    app.clock.now = new Date(app.clock.now.getTime() + 11_000)
    await enter(87.5)
    expect(await list()).toEqual([87.5, 87.5])
  })

  test('takes numbers as the pages show them', () => {
    const read = (value: string) => NewGoal.safeParse({ title: 'Steps', start: '0', target: value }).data?.target
    expect(['1,500', '12,345,678.5', '7,5', '-1.25', ' 80 '].map(read)).toEqual([1500, 12_345_678.5, 7.5, -1.25, 80])
    expect(['1,50,0', '', 'ten', '1e400'].map(read)).toEqual(Array(4).fill(undefined))
  })

  test('keeps its values, and who set them, whatever the SQL', async () => {
    const { coach, client, program } = await start()
    const { id } = await inTenant(coach, (tx) => createGoal(tx, program.id, weight))
    const ctx = await clientContextFor(coach, client.id)
    await ctx.write((tx) => recordOwnValue(tx, id, 87.5))
    const [item] = (await load(coach, program.id)).items
    const statements = [
      'update goal_value set value = 1 where coach_id = $1',
      `insert into goal_value (coach_id, client_id, goal_id, value, set_by, created_at)
        select coach_id, client_id, goal_id, 1, 'coach', now() from goal_value where coach_id = $1`,
      `update program_item set title = 'Another' where coach_id = $1`,
      `insert into program_item (coach_id, client_id, program_id, milestone_id, position, kind, title, owner, created_at, updated_at)
        select coach_id, client_id, program_id, milestone_id, 99, kind, title, owner, now(), now() from program_item
        where coach_id = $1 and id = ${item!.id}`,
    ]
    for (const [index, text] of statements.entries())
      await expect(
        ctx.write((tx) => tx.query({ name: `test.goal-${index}`, text, values: [coach.id] })),
      ).rejects.toMatchObject({ code: '23001' })
    const change = { name: 'test.goal-value', text: statements[0]!, values: [coach.id] }
    await expect(inTenant(coach, (tx) => tx.query(change))).rejects.toMatchObject({ code: '23001' })
    expect(await listGoals(await contextFor(coach), [program.id])).toMatchObject([{ value: 87.5, setBy: 'client' }])
  })

  test('of another client can’t be seen or updated', async () => {
    const { coach, program } = await start()
    const { id } = await inTenant(coach, (tx) => createGoal(tx, program.id, weight))
    const sibling = await clientContextFor(coach, (await createClient({ coach, email: 'other@example.com' })).id)
    expect(await listGoals(sibling, [program.id])).toEqual([])
    await expect(sibling.write((tx) => recordOwnValue(tx, id, 1))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('has a target, at most 20 in a program, and comes back from the trash', async () => {
    const { coach, program } = await start()
    const add = (fields: object = {}) => inTenant(coach, (tx) => createGoal(tx, program.id, { ...weight, ...fields }))
    await expect(add({ target: 90 })).rejects.toMatchObject({ code: 'validation_failed' })
    const { id } = await add()
    await expect(inTenant(coach, (tx) => updateGoal(tx, id, { start: 80 }, 1))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await inTenant(coach, (tx) => updateGoal(tx, id, { title: 'Kilos' }, 1))
    await expect(inTenant(coach, (tx) => updateGoal(tx, id, { title: 'x' }, 1))).rejects.toMatchObject({
      code: 'conflict',
    })
    for (let count = 1; count < 20; count++) await add()
    await expect(add()).rejects.toMatchObject({ code: 'validation_failed' })
    await inTenant(coach, (tx) => deleteGoal(tx, id))
    await inTenant(coach, (tx) => restoreGoal(tx, id))
    expect((await listGoals(await contextFor(coach), [program.id]))[0]).toMatchObject({ id, title: 'Kilos' })
  })
})
