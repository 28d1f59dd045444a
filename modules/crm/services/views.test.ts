import { expect, test } from 'vitest'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { maxViews } from '../list-state.ts'
import { createView, deleteView, listViews, renameView } from './views.ts'

createTestApp()
const add = (coach: Coach, name: string, url = '/clients?tag=VIP') =>
  inTenant(coach, (ctx) => createView(ctx, { name, url }))
const views = async (coach: Coach) => (await listViews(await contextFor(coach))).map(({ name, url }) => [name, url])

test('a view keeps search, filters, order and layout, but no page, dialog or foreign address', async () => {
  const coach = await createCoach()
  await add(
    coach,
    'evenings',
    '/clients?q=ada&tag=VIP&status=active&filters=next.none&sort=name&page=3&dialog=filters&x=1',
  )
  await add(coach, 'Away', 'https://evil.example/elsewhere?view=cards')
  expect(await views(coach)).toEqual([
    ['Away', '/clients?view=cards'],
    ['evenings', '/clients?q=ada&sort=name&status=active&tag=VIP&filters=next.none'],
  ])
})

test('a view is renamed and deleted, and its name is unique in any case', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const [first, second] = [await add(coach, 'Mondays'), await add(coach, 'Evenings')]
  await add(other, 'mondays')
  await expect(add(coach, 'mondays')).rejects.toMatchObject({ code: 'conflict' })
  await expect(inTenant(coach, (ctx) => renameView(ctx, second, 'MONDAYS'))).rejects.toMatchObject({ code: 'conflict' })
  await inTenant(coach, (ctx) => renameView(ctx, first, 'MONDAYS'))
  await inTenant(coach, (ctx) => deleteView(ctx, second))
  expect((await views(coach)).map(([name]) => name)).toEqual(['MONDAYS'])
  for (const change of [
    () => inTenant(other, (ctx) => renameView(ctx, first, 'Theirs')),
    () => inTenant(other, (ctx) => deleteView(ctx, first)),
    () => inTenant(coach, (ctx) => deleteView(ctx, second)),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'not_found' })
})

test('forty views at once stop at the limit', async () => {
  const coach = await createCoach()
  const all = await concurrently(40, (n) => add(coach, `View ${n}`))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxViews)
  expect(await views(coach)).toHaveLength(maxViews)
})
