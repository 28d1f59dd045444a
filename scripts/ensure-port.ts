import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#app/lib/errors.ts'

/** Milliseconds to wait for a stopping process to release the port. */
const releaseTimeout = 2_000

/** Checks that the port is free, before starting anything expensive. Throws AppError unavailable. */
export async function ensurePort({ port, host }: { port: number; host: string }): Promise<void> {
  for (const deadline = Date.now() + releaseTimeout; ; await pause(100)) {
    const code = await tryListen(port, host)
    if (!code) return
    if (code !== 'EADDRINUSE' || Date.now() > deadline)
      throw new AppError('unavailable', portErrorMessage(code, port, host))
  }
}

function portErrorMessage(code: string, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `PORT ${port} is in use on ${host}: stop the program that uses it or choose another PORT.`
  if (code === 'EACCES') return `PORT ${port} can't be used: this user isn't allowed to; choose one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST can't be used: ${host} is not an address of this machine.`
  return `PORT ${port} on ${host} can't be used: ${code}.`
}

/** Returns an error code, or undefined if the port is free. */
function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
