import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Platform } from '#tenants/platform.ts'
import { watchQueues } from './watch-queues.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Reply = { rows: { name: string }[] }

/** A queue whose database returns `replies`, one after the other, and then no queue. */
function watch(replies: (Reply | Promise<Reply>)[]) {
  const notifyWorker = vi.fn<(id: string) => void>()
  const errors: string[] = []
  const boss = Object.assign(new EventEmitter(), {
    getDb: () => ({ executeSql: async () => replies.shift() ?? { rows: [] } }),
    notifyWorker,
  })
  boss.on('error', ({ message }: Error) => errors.push(message))
  watchQueues({ boss } as unknown as Platform, new Map([['mail', ['first', 'second', 'third']]]))
  return { boss, errors, listWoken: () => notifyWorker.mock.calls.map(([id]) => id) }
}

test('the workers of a queue are woken one after the other, a tenth of a second apart', async () => {
  const { listWoken } = watch([{ rows: [{ name: 'mail' }] }])
  await vi.advanceTimersByTimeAsync(1_050)
  expect(listWoken()).toEqual(['first'])
  await vi.advanceTimersByTimeAsync(100)
  expect(listWoken()).toEqual(['first', 'second'])
  await vi.advanceTimersByTimeAsync(100)
  expect(listWoken()).toEqual(['first', 'second', 'third'])
})

test('a database that never replies is reported after ten seconds, and asked again', async () => {
  const { errors, listWoken } = watch([new Promise<Reply>(() => {}), { rows: [{ name: 'mail' }] }])
  await vi.advanceTimersByTimeAsync(10_999)
  expect([errors, listWoken()]).toEqual([[], []])
  await vi.advanceTimersByTimeAsync(1)
  expect(errors).toEqual(['The database did not say in time which queues have jobs.'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(listWoken()).toContain('first')
})

test('a queue that has stopped is not asked about any more', async () => {
  const { boss, listWoken } = watch([{ rows: [{ name: 'mail' }] }])
  boss.emit('stopped')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(listWoken()).toEqual([])
})
