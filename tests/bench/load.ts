import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'

/** A way of asking: `next` is called for every request and answers its bytes. */
export type Work = { name: string; status: number; next: () => Buffer }
export type Slice = {
  answers: number
  seconds: number /** Milliseconds that 95 of 100 answers stayed below. */
  p95: number /** Milliseconds of CPU for one answer. */
  cpu: number
}

const connections = 20

/**
 * Asks on 20 kept connections, each with one request after the other, for `seconds`. `pids` are the processes whose CPU time
 * is counted. Throws when a connection breaks or an answer has another status. Raw sockets: a client library would
 * take as much of the machine as the server that is measured.
 */
export async function load(port: number, work: Work, seconds: number, pids: () => number[]): Promise<Slice> {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  const cpuBefore = cpuSeconds(pids())
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, () => converse(port, work, until, times)))
  const took = (performance.now() - began) / 1000
  const cpu = cpuSeconds(pids()) - cpuBefore
  times.sort((a, b) => a - b)
  return {
    answers: times.length,
    seconds: took,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    cpu: (cpu * 1000) / times.length,
  }
}

function converse(port: number, work: Work, until: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    let held: Buffer | undefined
    let asked = 0
    const ask = () => {
      asked = performance.now()
      socket.write(work.next())
    }
    const end = (error?: Error) => {
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    socket.once('connect', ask)
    socket.once('error', end)
    socket.once('close', () => end(new Error(`${work.name}: the connection was closed`)))
    socket.on('data', (chunk: Buffer) => {
      held = held ? Buffer.concat([held, chunk]) : chunk
      const status = statusOf(held)
      if (status === undefined) return
      if (status !== work.status)
        return end(new Error(`${work.name}: answered ${status}\n${held.toString('utf8', 0, 2000)}`))
      held = undefined
      const now = performance.now()
      times.push(now - asked)
      if (now < until) ask()
      else end()
    })
  })
}

/** The status of an answer that is complete, else undefined. */
function statusOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = answer.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  const body = end + 4
  const complete = length === undefined ? isLastChunkThere(answer, body) : answer.length >= body + Number(length)
  return complete ? Number(head.slice(9, 12)) : undefined
}

function isLastChunkThere(answer: Buffer, from: number): boolean {
  for (let at = from; ; ) {
    const line = answer.indexOf('\r\n', at)
    if (line < 0) return false
    const size = Number.parseInt(answer.toString('latin1', at, line), 16)
    if (size === 0) return answer.length >= line + 4
    at = line + 2 + size + 2
  }
}

const ticksPerSecond = 100

/** CPU seconds that processes have used so far, those of their ended children included (Linux). */
function cpuSeconds(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond
}

function ticksOf(pid: number): number {
  const fields = statOf(pid)
  // utime, stime, cutime, cstime: fields 14 to 17, and the list begins with the third.
  return fields ? fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) : 0
}

/** A process and all of its living children: Postgres has one for each connection. */
export function family(parent: number): number[] {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(parent),
  )
  return [parent, ...children.map(Number)]
}

/** The fields behind the name of the program, which may hold spaces; undefined when the process is gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Resident memory in MB. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
