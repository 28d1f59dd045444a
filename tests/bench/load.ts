import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'

/** A kind of request: `next` returns the bytes of the next one, `status` is the expected response. */
export type Workload = { name: string; status: number; next: () => Buffer }
export type LoadResult = {
  responses: number
  seconds: number
  /** The median of response times in milliseconds. */
  median: number
  /** The 95th percentile of response times in milliseconds. */
  p95: number
  /** CPU milliseconds per response. */
  cpu: number
}

/**
 * Sends requests on `connections`, one after the other on each, for `seconds`. Counts the CPU time of `pids`. Throws
 * if a connection breaks or a response has another status. Uses raw sockets, since an HTTP client would need as much
 * CPU as the measured server.
 */
export async function load(
  port: number,
  workload: Workload,
  seconds: number,
  pids: () => number[],
  connections = 20,
): Promise<LoadResult> {
  const deadline = performance.now() + seconds * 1000
  const times: number[] = []
  const cpuBefore = cpuSeconds(pids())
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, () => runConnection(port, workload, deadline, times)))
  const elapsed = (performance.now() - startedAt) / 1000
  const cpu = cpuSeconds(pids()) - cpuBefore
  times.sort((a, b) => a - b)
  return {
    responses: times.length,
    seconds: elapsed,
    median: times[Math.floor(times.length / 2)] ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    cpu: (cpu * 1000) / times.length,
  }
}

function runConnection(port: number, workload: Workload, deadline: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    let received: Buffer | undefined
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(workload.next())
    }
    const end = (error?: Error) => {
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    socket.once('connect', send)
    socket.once('error', end)
    socket.once('close', () => end(new Error(`${workload.name}: the connection was closed`)))
    socket.on('data', (chunk: Buffer) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      const status = parseStatus(received)
      if (status === undefined) return
      if (status !== workload.status)
        return end(new Error(`${workload.name}: status ${status}\n${received.toString('utf8', 0, 2000)}`))
      received = undefined
      const now = performance.now()
      times.push(now - sentAt)
      if (now < deadline) send()
      else end()
    })
  })
}

/** Returns the status of a complete response, undefined for a partial one. */
function parseStatus(response: Buffer): number | undefined {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = response.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  const body = end + 4
  const complete = length === undefined ? hasLastChunk(response, body) : response.length >= body + Number(length)
  return complete ? Number(head.slice(9, 12)) : undefined
}

function hasLastChunk(response: Buffer, from: number): boolean {
  for (let offset = from; ; ) {
    const line = response.indexOf('\r\n', offset)
    if (line < 0) return false
    const size = Number.parseInt(response.toString('latin1', offset, line), 16)
    if (size === 0) return response.length >= line + 4
    offset = line + 2 + size + 2
  }
}

const ticksPerSecond = 100

/** CPU seconds of the processes, including their exited children. Linux only. */
export function cpuSeconds(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + cpuTicks(pid), 0) / ticksPerSecond
}

function cpuTicks(pid: number): number {
  const fields = readStat(pid)
  // utime, stime, cutime and cstime are fields 14 to 17; the list starts with field 3.
  return fields ? fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) : 0
}

/** A process and its children: Postgres has one for each connection. */
export function processTree(parent: number): number[] {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readStat(Number(name))?.[1] === String(parent),
  )
  return [parent, ...children.map(Number)]
}

/**
 * The fields of /proc/pid/stat after the program's name, which may contain spaces. Undefined if the process has exited.
 */
function readStat(pid: number): string[] | undefined {
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
