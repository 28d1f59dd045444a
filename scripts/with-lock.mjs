import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Runs `work` while no other process does the same for `folder`; the others wait for their turn.
 * The lock is a listening socket: the kernel takes it away from a process that was killed.
 */
export async function alone(folder, work) {
  const name = `practice-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`
  const address = process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`)
  const server = net.createServer()
  const waiting = new Set()
  server.on('connection', (socket) => waiting.add(socket.on('error', () => undefined)))
  for (let told = false; !(await listens(server, address)); told = true) {
    if (!told) console.log('Another process prepares this folder: waiting for it …')
    await untilReleased(address)
  }
  try {
    return await work()
  } finally {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
}

async function listens(server, address) {
  server.listen(address)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    return false
  }
}

async function untilReleased(address) {
  const socket = net.connect(address)
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.once('error', (error) => {
      // A file without a process behind it. Linux's abstract addresses leave none.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
    })
    socket.resume()
  })
}
