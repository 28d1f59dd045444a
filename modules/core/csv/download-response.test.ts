import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Ctx } from '#tenants/context.ts'
import { createTenantSlots } from '#tenants/tenant-slots.ts'
import { csvResponse } from './download-response.server.ts'

const platform = { tenantSlots: createTenantSlots() }
const getContext = (coachId: number): Ctx => ({ coachId, platform }) as unknown as Ctx

/** Three parts that note when each one is being read. */
async function* readSlowly(name: string, events: string[]) {
  for (const part of [1, 2, 3]) {
    events.push(`${name} begins`)
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    events.push(`${name} ends`)
    yield `${part},`
  }
}

test('exports of one tenant read one part at a time, and whole files; another tenant does not wait', async () => {
  const events: string[] = []
  const download = async (coachId: number) =>
    (await csvResponse(getContext(coachId), 'a.csv', readSlowly(`tenant ${coachId}`, events))).text()
  const texts = await Promise.all([download(1), download(1), download(1), download(2)])
  expect(texts).toEqual(Array.from({ length: 4 }, () => '1,2,3,'))

  const ofFirst = events.filter((event) => event.startsWith('tenant 1'))
  expect(ofFirst).toEqual(Array.from({ length: 9 }, () => ['tenant 1 begins', 'tenant 1 ends']).flat())
  expect(events.lastIndexOf('tenant 2 ends')).toBeLessThan(events.lastIndexOf('tenant 1 begins'))
})

test('an export that is refused has a status', async () => {
  const { tenantSlots } = platform
  const release = Promise.withResolvers<void>()
  const busy = Array.from({ length: 201 }, () => tenantSlots.run(1, 'export', () => release.promise))
  await expect(csvResponse(getContext(1), 'a.csv', readSlowly('late', []))).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': '2' },
  })
  release.resolve()
  await Promise.all(busy)
})
