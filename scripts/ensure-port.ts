import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#app/lib/errors.ts'

/** A process that is on its way out holds the port a moment longer. */
const patience = 2_000

/** Sees that we could listen there, before anything expensive is started. Throws AppError unavailable. */
export async function ensurePort({ port, host }: { port: number; host: string }): Promise<void> {
  for (const until = Date.now() + patience; ; await pause(100)) {
    const code = await tryListening(port, host)
    if (!code) return
    if (code !== 'EADDRINUSE' || Date.now() > until) throw new AppError('unavailable', portSentence(code, port, host))
  }
}

export function portSentence(code: string, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `PORT ${port} is taken on ${host}: stop the program that uses it or choose another PORT.`
  if (code === 'EACCES') return `PORT ${port} can't be used: this user may not listen there; choose one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST can't be used: ${host} is no address of this machine.`
  return `PORT ${port} on ${host} can't be used: ${code}.`
}

function tryListening(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
