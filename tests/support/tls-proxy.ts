import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Holds the self-signed certificate and its key. */
export const certificateFile = path.join(path.dirname(fileURLToPath(import.meta.url)), 'localhost.pem')

export type TlsProxy = {
  /** The database's URL through the proxy, without parameters. */
  url: string
  /** The first request of each client. */
  asked: ('TLS' | 'plain text')[]
  close(): Promise<void>
}

const sslRequestLength = 8

/**
 * Offers the database at `url`, on a socket folder, as localhost with TLS and a self-signed certificate, or without
 * TLS.
 */
export async function startTlsProxy(url: string, { offersTls = true } = {}): Promise<TlsProxy> {
  const { host, user, password, database } = new pg.Client({ connectionString: url }) as pg.Client & {
    password: string | null
  }
  const pem = readFileSync(certificateFile)
  const asked: TlsProxy['asked'] = []
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', (first) => {
      if (first.length !== sslRequestLength) {
        asked.push('plain text')
        return client.destroy()
      }
      asked.push('TLS')
      if (!offersTls) return client.end('N')
      client.write('S')
      const secure = new TLSSocket(client, { isServer: true, key: pem, cert: pem })
      const upstream = connect(`${host}/.s.PGSQL.5432`)
      secure.pipe(upstream).pipe(secure)
      for (const socket of [secure, upstream]) {
        socket.on('error', () => {})
        socket.on('close', () => [secure, upstream].forEach((one) => one.destroy()))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const credentials = [user, password].map((text) => encodeURIComponent(text ?? '')).join(':')
  return {
    url: `postgresql://${credentials}@localhost:${port}/${database}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
