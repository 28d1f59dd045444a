import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type MailServer = {
  url: string
  /** Waits for the next unread email: its recipients and raw text. */
  next(): Promise<{ to: string[]; raw: string }>
  /** Waits until an email has been received that is never answered. */
  asked(): Promise<void>
  /** The number of unread emails. */
  unread(): number
  close(): Promise<void>
}

/**
 * Starts a mail server without TLS and sign-in. `refuse` rejects that many emails, with a temporary error unless
 * `refusal` is another; `hang` never responds.
 */
export async function mailServer({
  refuse = 0,
  refusal = 451,
  hang = false,
  port = 0,
}: {
  refuse?: number
  refusal?: number
  hang?: boolean
  port?: number
} = {}): Promise<MailServer> {
  const arrived: { to: string[]; raw: string }[] = []
  const asked: ((mail: { to: string[]; raw: string }) => void)[] = []
  let refusals = refuse
  const hanging = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Idle connections of a client's pool would delay the end by half a minute.
    closeTimeout: 100,
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        if (hang) return hanging.resolve()
        if (refusals > 0) {
          refusals -= 1
          return done(Object.assign(new Error('Try again later'), { responseCode: refusal }))
        }
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw }
        const waiter = asked.shift()
        if (waiter) waiter(mail)
        else arrived.push(mail)
        done()
      })
    },
  })
  // A client that is killed resets its connection: nothing of the server's is wrong then.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    next: () => new Promise((resolve) => (arrived.length ? resolve(arrived.shift()!) : asked.push(resolve))),
    asked: () => hanging.promise,
    unread: () => arrived.length,
    close: () =>
      new Promise((resolve) => {
        // Without an answer to clients whose email hangs.
        if (hang) for (const connection of server.connections) connection._socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Returns the URL of an email's button, whatever the transfer encoding. */
export function extractLink(raw: string): URL {
  const plain = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return new URL(/https?:\/\/[^\s"<>]*\/auth\/reset\?token=[\w-]+/.exec(plain)![0])
}
