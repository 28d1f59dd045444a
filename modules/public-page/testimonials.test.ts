import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { maxTestimonials, shownTestimonials } from './fields.ts'
import { EditTestimonialForm, NewTestimonial, TestimonialForm } from './forms.ts'
import { listInOrder, listShown } from './queries/testimonials.ts'
import { action } from './routes/public-page.tsx'
import {
  createTestimonial,
  deleteTestimonial,
  moveTestimonial,
  restoreTestimonial,
  updateTestimonial,
} from './services/testimonials.ts'

const app = createTestApp()

const add = (coach: Coach, name: string, input: object = {}) =>
  inTenant(coach, (ctx) =>
    createTestimonial(ctx, NewTestimonial.parse({ quote: `Quote of ${name}`, name, permission: true, ...input })),
  )
const move = (coach: Coach, id: number, to: 'up' | 'down') => inTenant(coach, (ctx) => moveTestimonial(ctx, { id, to }))
const names = async (coach: Coach) => (await listInOrder(await contextFor(coach))).map(({ name }) => name)

test('a testimonial needs the permission of the client, and its date is kept', async () => {
  const coach = await createCoach()
  const sent = { quote: 'It helped', name: 'Ada' }
  expect(TestimonialForm.safeParse(sent).error?.issues).toMatchObject([
    { path: ['permission'], message: 'Confirm that you have permission' },
  ])
  expect(TestimonialForm.parse({ ...sent, permission: 'yes' })).toMatchObject({ permission: true, isShown: true })
  const refused = await app.call('POST', '/api/testimonials', { as: coach, body: sent })
  expect([refused.status, refused.body.message]).toEqual([422, 'Confirm that you have permission'])
  const added = await add(coach, 'Ada')
  expect(added.permissionAt).toBe(app.clock.now.toISOString())
})

test('another text needs the permission again; showing and hiding does not', async () => {
  const coach = await createCoach()
  const { id, permissionAt } = await add(coach, 'Ada')
  const before = app.clock.now
  app.clock.now = new Date(before.getTime() + dayMs)
  const hidden = await inTenant(coach, (ctx) => updateTestimonial(ctx, id, { isShown: false }))
  expect([hidden.isShown, hidden.permissionAt]).toEqual([false, permissionAt])
  const change = (permission?: true) =>
    inTenant(coach, (ctx) => updateTestimonial(ctx, id, { quote: 'Another', ...(permission ? { permission } : {}) }))
  await expect(change()).rejects.toMatchObject({ code: 'validation_failed', issues: [{ path: 'permission' }] })
  expect((await change(true)).permissionAt).toBe(app.clock.now.toISOString())
  const stale = inTenant(coach, (ctx) => updateTestimonial(ctx, id, { isShown: true }, 1))
  await expect(stale).rejects.toMatchObject({ code: 'conflict', subject: 'testimonial' })
  app.clock.now = before
})

test('the form asks for the permission at its field, and only for another text', async () => {
  const coach = await createCoach()
  const { id, permissionAt } = await add(coach, 'Ada')
  const before = app.clock.now
  app.clock.now = new Date(before.getTime() + dayMs)
  const ctx = await contextFor(coach)
  const submit = async (fields: Record<string, string>) => {
    const saved = { quote: 'Quote of Ada', name: 'Ada', role: '', isShown: 'shown', permission: '' }
    const body = new URLSearchParams({ intent: 'edit', id: String(id), version: '1', ...saved, ...fields })
    const request = new Request('http://localhost/public-page', { method: 'POST', body })
    const cookies = { toast: () => '' }
    const context = { account: ctx.account, coach: () => ctx, write: ctx.write, cookies } as unknown as AppLoadContext
    return action({ request, params: {}, context } as ActionFunctionArgs)
  }
  const find = async () => (await listInOrder(ctx))[0]!
  const refused = (await submit({ quote: 'Another' })) as { data: { result: { error: object } } }
  expect(refused.data.result.error).toEqual({ permission: ['Confirm that you have permission'] })
  expect(await submit({ isShown: 'hidden' })).toBeInstanceOf(Response)
  expect(await find()).toMatchObject({ isShown: false, permissionAt })
  expect(await submit({ quote: 'Another', permission: 'yes', version: '2' })).toBeInstanceOf(Response)
  expect(await find()).toMatchObject({ quote: 'Another', permissionAt: app.clock.now.toISOString() })
  app.clock.now = before
})

test('texts have limits, and blank ones are refused', () => {
  const check = (input: object) =>
    TestimonialForm.safeParse({ quote: 'x', name: 'x', permission: 'yes', ...input }).error?.issues[0]?.message
  expect(check({ quote: 'é'.repeat(1000) })).toBeUndefined()
  expect(check({ quote: 'x'.repeat(1001) })).toBe('Use at most 1,000 characters')
  expect(check({ quote: ' \r\n ' })).toBe('Enter what your client said')
  expect(check({ name: 'x'.repeat(101) })).toBe('Use at most 100 characters')
  expect(check({ role: 'x'.repeat(101) })).toBe('Use at most 100 characters')
  expect(EditTestimonialForm.safeParse({ id: '1', version: '1', quote: '', permission: 'yes' }).success).toBe(false)
  const edit = (input: object) => EditTestimonialForm.parse({ id: '1', version: '1', ...input })
  expect(edit({ isShown: 'hidden' })).not.toHaveProperty('permission')
  expect(edit({ isShown: 'hidden', permission: 'yes' })).toMatchObject({ isShown: false, permission: true })
})

test('they are moved up and down; the first and the last stay', async () => {
  const coach = await createCoach()
  const [a, , c] = [await add(coach, 'A'), await add(coach, 'B'), await add(coach, 'C')]
  await move(coach, c.id, 'up')
  expect(await names(coach)).toEqual(['A', 'C', 'B'])
  await move(coach, a.id, 'up')
  await move(coach, a.id, 'down')
  expect(await names(coach)).toEqual(['C', 'A', 'B'])
  await expect(move(coach, 999_999, 'up')).rejects.toMatchObject({ code: 'not_found' })
})

test('20 moves at once leave each testimonial in the list once, at a position of its own', async () => {
  const coach = await createCoach()
  const ids: number[] = []
  for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push((await add(coach, name)).id)
  let index = 0
  await concurrently(20, () => move(coach, ids[index++ % 5]!, index % 2 ? 'up' : 'down'))
  expect((await names(coach)).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E'])
  const positions = (await listInOrder(await contextFor(coach))).map(({ position }) => position)
  expect(new Set(positions).size).toBe(5)
})

test('the page shows the first twelve that are not hidden', async () => {
  const coach = await createCoach()
  await add(coach, 'Hidden', { isShown: false })
  for (let index = 0; index < shownTestimonials + 1; index++) await add(coach, `Shown ${index}`)
  const shown = await listShown(await contextFor(coach))
  expect(shown.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, index) => `Shown ${index}`))
})

test('a practice has at most fifty, also if the last one is added and restored twenty times at once', async () => {
  const coach = await createCoach()
  const trashed = await add(coach, 'In the trash')
  for (let index = 1; index < maxTestimonials; index++) await add(coach, `T ${index}`)
  await inTenant(coach, (ctx) => deleteTestimonial(ctx, trashed.id))
  const results = await concurrently(20, () => add(coach, 'One more'))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await names(coach)).toHaveLength(maxTestimonials)
  await expect(inTenant(coach, (ctx) => restoreTestimonial(ctx, trashed.id))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await names(coach)).toHaveLength(maxTestimonials)
})

test('another coach neither sees nor changes them', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const { id } = await add(coach, 'Ada')
  expect(await listShown(await contextFor(other))).toEqual([])
  await expect(move(other, id, 'up')).rejects.toMatchObject({ code: 'not_found' })
  await expect(inTenant(other, (ctx) => deleteTestimonial(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
})
