import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { describeConnectionError } from '#db/migrate.ts'
import { openOrm } from '#db/orm.ts'
import { openReadPool } from '#db/read-pool.ts'
import { parseConfig } from '#tenants/config.ts'
import { describeUnprotected } from '#tenants/database-url.ts'
import { sendEmail } from '#tenants/mail.ts'
import { testConfig } from '#tests/support/config.ts'
import { createDatabase } from '#tests/support/database.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { certificateFile, startTlsProxy, type TlsProxy } from '#tests/support/tls-proxy.ts'

describe('the connection to a database with a self-signed certificate', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let proxy: TlsProxy
  beforeAll(async () => {
    database = await createDatabase(inject('ownerUrl'))
    proxy = await startTlsProxy(database.appUrl)
  })
  afterAll(async () => {
    await proxy?.close()
    await database?.drop()
  })

  /** The answer of each kind of pool. */
  async function openAll(url: string): Promise<string[]> {
    const answer = (work: Promise<unknown>) =>
      work.then(
        () => 'connected',
        (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
      )
    const readPool = openReadPool(url)
    const orms = [openOrm(url, { entities: [], pipelined: true }), openOrm(url, { entities: [] })]
    const open = () => runtime.open({ appUrl: url, config: testConfig() })
    try {
      return [
        await answer(readPool.queryGlobal({ text: 'select 1' })),
        ...(await Promise.all(orms.map((orm) => answer(orm.em.getConnection().execute('select 1'))))),
        await answer(open().then((platform) => platform.close())),
        await answer(runtime.prepare({ ownerUrl: url, config: testConfig() })),
      ]
    } finally {
      await Promise.all([readPool.close(), ...orms.map((orm) => orm.close(true))])
    }
  }
  const urlFor = (parameters: string): string =>
    parseConfig({ DATABASE_URL: `${proxy.url}?${parameters}` }).databaseUrl!

  test.each(['require', 'verify-ca', 'verify-full'])('is refused by every pool with sslmode=%s', async (mode) => {
    const seen = await openAll(urlFor(`sslmode=${mode}`))
    expect(seen.slice(0, 4).map((message) => message.split(';')[0])).toEqual(Array(4).fill('self-signed certificate'))
    expect(seen[4]).toBe(
      "DATABASE_URL can't be used: the certificate of the server is not trusted; name its authority with sslrootcert=FILE.",
    )
    expect(proxy.asked).not.toContain('plain text')
  })

  test.each(['sslmode=no-verify', `sslmode=verify-full&sslrootcert=${certificateFile}`])(
    'works with %s',
    async (mode) => {
      const seen = await openAll(urlFor(mode))
      expect(seen.slice(0, 4)).toEqual(Array(4).fill('connected'))
      // The serving role may not migrate.
      expect(seen[4]).not.toContain('certificate')
      expect(proxy.asked).not.toContain('plain text')
    },
  )

  test('is refused with one sentence if the server offers no TLS', async () => {
    const plain = await startTlsProxy(database.appUrl, { offersTls: false })
    onTestFinished(() => plain.close())
    const ownerUrl = parseConfig({ DATABASE_URL: `${plain.url}?sslmode=require` }).databaseUrl!
    await expect(runtime.prepare({ ownerUrl, config: testConfig() })).rejects.toThrow(
      "DATABASE_URL can't be used: the server offers no TLS; add sslmode=disable if nobody else can reach the network.",
    )
  })

  test('for another host is refused', () => {
    const error = Object.assign(new Error('Hostname/IP does not match'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(describeConnectionError(error)).toBe(
      "DATABASE_URL can't be used: the certificate of the server is for another host.",
    )
  })
})

describe('DATABASE_URL', () => {
  const parse = (url: string) => parseConfig({ DATABASE_URL: url }).databaseUrl!

  test.each([
    ['postgresql://u:p@db.example.com:5432/practice', 'verify-full'],
    ['postgresql://u:p@192.0.2.1/practice?pgbouncer=true', 'verify-full'],
    ['postgresql://u:p@db/practice?sslmode=require', 'verify-full'],
    ['postgresql://u:p@db/practice?sslmode=verify-ca', 'verify-full'],
    ['postgresql://u:p@db/practice?sslmode=no-verify', 'no-verify'],
    ['postgresql://u:p@db/practice?sslmode=disable', 'disable'],
    ['postgresql://u:p@db/practice?ssl=0', 'verify-full'],
    ['postgresql://u:p@127.0.0.1/practice', 'disable'],
    ['postgresql://u:p@[::1]/practice', 'disable'],
    ['postgresql://u:p@localhost/practice?sslmode=require', 'verify-full'],
    ['postgresql:///practice?host=/var/run/postgresql', 'disable'],
    ['postgresql://u@%2Fvar%2Frun/practice', 'disable'],
  ])('%s uses sslmode=%s', (url, mode) => {
    const used = parse(url)
    expect(used.match(/\bssl(mode)?=[\w-]+/g)).toEqual([`sslmode=${mode}`])
    expect(used.includes('pgbouncer=true')).toBe(url.includes('pgbouncer=true'))
  })

  test.each([
    ['sslmode=prefer', 'has an unknown sslmode; choose one of disable, require, verify-ca, verify-full, no-verify'],
    ['uselibpqcompat=true', "can't have uselibpqcompat; use sslmode"],
    ['sslrootcert=/nowhere.pem', "names a file for sslrootcert that can't be read"],
  ])('with %s is refused with one sentence', (parameter, reason) => {
    expect(() => parse(`postgresql://u:p@db/practice?${parameter}`)).toThrow(
      `DATABASE_URL can't be used: it ${reason}.`,
    )
  })

  test.each([
    ['postgresql://u:p@db/practice', null],
    ['postgresql://u:p@localhost/practice', null],
    [
      'postgresql://u:p@db/practice?sslmode=disable',
      'The connection to the database on db is not encrypted (sslmode=disable).',
    ],
    [
      'postgresql://u:p@db/practice?sslmode=no-verify',
      'The connection to the database on db is encrypted, but its certificate is not verified (sslmode=no-verify).',
    ],
  ])('%s gets a warning only if it is unprotected', (url, warning) => {
    expect(describeUnprotected(parse(url))).toBe(warning)
  })
})

describe('a mail server on another machine', () => {
  // Leads to this machine, but is no loopback address.
  const elsewhere = (url: string): string => url.replace('127.0.0.1', '0.0.0.0')
  const email = {
    to: 'ada@example.com',
    subject: 'Hello',
    paragraphs: [],
    button: { label: 'x', url: 'x' },
    from: null,
  }
  const send = (url: string) => sendEmail(testConfig({ SMTP_URL: url }), email, new Date())

  test('gets no email without TLS', async () => {
    const mails = await mailServer()
    onTestFinished(() => mails.close())
    await expect(send(elsewhere(mails.url))).rejects.toMatchObject({ code: 'ETLS' })
    expect(mails.unread()).toBe(0)
    await send(mails.url)
    expect(mails.unread()).toBe(1)
  })

  test('gets no email with a certificate that is not trusted', async () => {
    const pem = readFileSync(certificateFile)
    const received: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      key: pem,
      cert: pem,
      onData: (stream, _session, done) =>
        void stream
          .on('end', done)
          .resume()
          .on('data', () => received.push('data')),
    })
    server.on('error', () => {})
    const listening: Server = server.listen(0, '127.0.0.1') as unknown as Server
    await once(listening, 'listening')
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.server.address() as AddressInfo
    await expect(send(`smtp://0.0.0.0:${port}`)).rejects.toMatchObject({
      message: expect.stringMatching(/self.signed/),
    })
    expect(received).toEqual([])
  })
})
