import { expect, onTestFinished, test } from 'vitest'
import { mailServer } from '#tests/support/mail-server.ts'
import { startDatabase } from './support/database.ts'
import { call, createTempFolder, serve, waitUntilReady, type RunningProcess } from './support/process.ts'

const secret = 'for these tests alone and long enough'
const hour = 3_600_000

type Messages = { messages: { id: number | null; kind: string; state: string }[] }

async function startMails(options?: Parameters<typeof mailServer>[0]) {
  const mails = await mailServer(options)
  onTestFinished(() => mails.close())
  return mails
}

test('kill -9 of a worker that is sending: no email twice, none lost unseen, the other worker goes on', async () => {
  const { ownerUrl, run } = await startDatabase()
  const [mails, silent] = await Promise.all([startMails(), startMails({ hang: true })])
  const start = (role: string, smtpUrl: string) =>
    serve({ DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl, SECRET_KEY: secret, ROLE: role, SMTP_URL: smtpUrl })
  const running = await start('all', mails.url)
  await waitUntilReady(running)
  const killed = await start('worker', silent.url)
  const { cookie, clientId } = await createPractice(running, run)

  const countWaiting = async () => {
    const { rows } = await run(
      `select count(*)::int as waiting from appointment_message
       where kind = 'confirmation' and sent_at is null and claimed_at is null and skip_reason is null`,
    )
    return rows[0].waiting
  }

  // Both workers fetch from one queue: add sessions until the one that will be killed has an email. Only a few wait at
  // a time: while that worker starts, there would be more sessions than can be read within the limit of calls.
  let isSending = false
  void silent.asked().then(() => (isSending = true))
  const sessions: number[] = []
  const addSession = async () => {
    const startTime = new Date(Date.now() + (24 * 30 + sessions.length) * hour)
    const body = {
      title: `Session ${sessions.length}`,
      clientId,
      startTime: startTime.toISOString(),
      endTime: new Date(startTime.getTime() + hour).toISOString(),
      notify: true,
    }
    const added = await call<{ id: number }>(running, 'POST', '/api/appointments', { cookie, body })
    expect(added.status, added.summary).toBe(201)
    sessions.push(added.body.id)
  }
  while (!isSending) {
    await addSession()
    await expect.poll(async () => isSending || (await countWaiting()) < 5, { timeout: 30_000, interval: 20 }).toBe(true)
  }
  killed.child.kill('SIGKILL')
  await killed.exit
  await addSession()

  // The other worker sends the emails that the killed one had fetched but not begun, once the queue gives them up.
  await run(`update pgboss.job set started_on = started_on - interval '1 hour' where state = 'active'`)
  await expect.poll(countWaiting, { timeout: 90_000, interval: 200 }).toBe(0)

  await run(`update appointment_message set claimed_at = claimed_at - interval '10 minutes' where sent_at is null`)
  const confirmations = await Promise.all(
    sessions.map(async (id) => {
      const { body } = await call<Messages>(running, 'GET', `/api/appointments/${id}/messages`, { cookie })
      return body.messages.find(({ kind }) => kind === 'confirmation')!
    }),
  )
  const sent = confirmations.filter(({ state }) => state === 'sent')
  const doubtful = confirmations.filter(({ state }) => state === 'in-doubt')
  expect(doubtful.length).toBeGreaterThan(0)
  expect(sent.length + doubtful.length).toBe(sessions.length)

  const received: string[] = []
  while (mails.unread()) received.push(/^Subject: .*Session[ _](\d+)/m.exec((await mails.next()).raw)?.[1] ?? 'other')
  const numbers = received.filter((number) => number !== 'other')
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.length).toBe(sent.length)

  for (const page of ['/dashboard', '/calendar/messages'])
    expect((await call<string>(running, 'GET', page, { cookie })).body).toMatch(/may not have been sent/i)
})

/** A coach with a confirmed address, and a client. */
async function createPractice(running: RunningProcess, run: (sql: string) => Promise<unknown>) {
  const account = { email: 'ada@example.com', password: 'a long and rare word', firstName: 'Ada', lastName: 'Lovelace' }
  const { cookie, summary } = await call(running, 'POST', '/api/register', { body: account })
  expect(cookie, summary).not.toBe('')
  await run('update account set email_verified_at = now()')
  const client = await call<{ id: number }>(running, 'POST', '/api/clients', {
    cookie,
    body: { name: 'Mara Winter', email: 'mara@example.com' },
  })
  return { cookie, clientId: client.body.id }
}
