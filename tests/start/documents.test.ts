import { expect, test } from 'vitest'
import { residentMegabytes } from '#tests/bench/load.ts'
import { call, createTempFolder, serve, waitUntilReady } from './support/process.ts'

const account = { email: 'ada@example.com', password: 'a long and rare word', firstName: 'Ada', lastName: 'Lovelace' }
/** Fonts and layout of PDFs take more than 100 MB, which the process has that prints them. */
const maxMegabytes = 40

test.runIf(process.platform === 'linux')('the process that serves takes no more memory for printing PDFs', async () => {
  const running = await serve({ DATA_DIR: createTempFolder() }, '--empty')
  await waitUntilReady(running)
  const { cookie } = await call(running, 'POST', '/api/register', { body: account })
  const body = { name: 'Grace Hopper', email: 'grace@example.com' }
  const client = await call<{ id: number }>(running, 'POST', '/api/clients', { cookie, body })
  const bill = { clientId: client.body.id, amount: '150.00', description: 'Coaching' }
  const getFile = async () => {
    const { body: invoice } = await call<{ id: number }>(running, 'POST', '/api/payments', { cookie, body: bill })
    const file = await call<string>(running, 'GET', `/payments/${invoice.id}/pdf`, { cookie })
    expect(file.body.slice(0, 5)).toBe('%PDF-')
  }
  const print = async (count: number) => {
    for (let printed = 0; printed < count; printed++) await getFile()
    return residentMegabytes(running.child.pid!)
  }
  const before = await print(10)
  expect((await print(40)) - before).toBeLessThan(maxMegabytes)
})
