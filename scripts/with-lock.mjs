import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Runs `work` while holding a lock on `folder`; other processes wait. The lock is a listening socket, which the
 * operating system releases even if the process is killed.
 */
export async function withLock(folder, work) {
  const name = `practice-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`
  const address = process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`)
  const server = net.createServer()
  const waitingSockets = new Set()
  server.on('connection', (socket) => waitingSockets.add(socket.on('error', () => undefined)))
  for (let attempt = 0; !(await tryListen(server, address)); attempt++) {
    if (attempt === 0) console.log('Waiting for another process that installs or builds in this folder …')
    await waitForRelease(address)
  }
  try {
    return await work()
  } finally {
    server.close()
    for (const socket of waitingSockets) socket.destroy()
  }
}

async function tryListen(server, address) {
  server.listen(address)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    return false
  }
}

async function waitForRelease(address) {
  const socket = net.connect(address)
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.once('error', (error) => {
      // The socket file of a killed process. Linux's abstract addresses leave no file.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
    })
    socket.resume()
  })
}
