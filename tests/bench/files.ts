import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { cpuSeconds, residentMegabytes } from './load.ts'
import type { ServerProcess } from './servers.ts'
import { median } from './table.ts'

const megabyte = 1024 ** 2
/** As the browser sends them. */
const partBytes = 5 * megabyte
const part = randomBytes(partBytes)

/** Product ÷ plain for bytes per second, and plain ÷ product for CPU time. */
export type Comparison = { product: number; plain: number; ratio: number; cpu: number }

/** Uploads a file in parts and downloads it, in turns with a plain server that streams one body to disk and back. */
export async function compareTransfers(
  product: ServerProcess,
  plain: ServerProcess,
  options: { cookie: string; megabytes: number; rounds: number; pids: (server: ServerProcess) => number[] },
): Promise<{ upload: Comparison; download: Comparison }> {
  const { cookie, megabytes, rounds, pids } = options
  const size = megabytes * megabyte
  const measure = async (server: ServerProcess, work: () => Promise<unknown>) => {
    const before = cpuSeconds(pids(server))
    const startedAt = performance.now()
    await work()
    return { rate: megabytes / ((performance.now() - startedAt) / 1000), cpu: cpuSeconds(pids(server)) - before }
  }
  type Measured = Awaited<ReturnType<typeof measure>>
  const uploads: [Measured, Measured][] = []
  const downloads: [Measured, Measured][] = []
  for (let round = 0; round < rounds; round++) {
    let uploadId = 0
    uploads.push([
      await measure(product, async () => void (uploadId = await upload(product.port, cookie, size))),
      await measure(plain, () => send({ port: plain.port, method: 'PUT', path: '/file' }, size)),
    ])
    const { id } = await sendJson(product.port, cookie, 'POST', '/api/files', { uploadId, name: 'Workshop.bin' })
    downloads.push([
      await measure(product, () =>
        send({ port: product.port, path: `/api/files/${id}/download`, headers: { cookie } }, 0, size),
      ),
      await measure(plain, () => send({ port: plain.port, path: '/file' }, 0, size)),
    ])
  }
  const toComparison = (pairs: [Measured, Measured][]): Comparison => ({
    product: median(pairs.map(([ours]) => ours.rate)),
    plain: median(pairs.map(([, theirs]) => theirs.rate)),
    ratio: median(pairs.map(([ours, theirs]) => ours.rate / theirs.rate)),
    cpu: median(pairs.map(([ours, theirs]) => theirs.cpu / ours.cpu)),
  })
  return { upload: toComparison(uploads), download: toComparison(downloads) }
}

/** The most megabytes of memory that the server takes more while it receives `files` at once. */
export async function measureUploadMemory(
  { port, pid }: ServerProcess,
  { cookie, files, megabytes }: { cookie: string; files: number; megabytes: number },
): Promise<number> {
  const idle = residentMegabytes(pid)
  let highest = idle
  const watch = setInterval(() => (highest = Math.max(highest, residentMegabytes(pid))), 50)
  const sent = Array.from({ length: files }, () => upload(port, cookie, megabytes * megabyte))
  const ids = await Promise.all(sent).finally(() => clearInterval(watch))
  for (const id of ids) await sendJson(port, cookie, 'DELETE', `/api/uploads/${id}`)
  return highest - idle
}

async function upload(port: number, cookie: string, size: number): Promise<number> {
  const { id } = await sendJson(port, cookie, 'POST', '/api/uploads', { name: 'Workshop.bin', size })
  for (let offset = 0; offset < size; offset += partBytes)
    await send(
      {
        port,
        method: 'PUT',
        path: `/api/uploads/${id}?offset=${offset}`,
        headers: { cookie, 'content-type': 'application/octet-stream' },
      },
      Math.min(partBytes, size - offset),
    )
  return id
}

async function sendJson(
  port: number,
  cookie: string,
  method: string,
  path: string,
  body: object = {},
): Promise<{ id: number }> {
  const response = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text ? JSON.parse(text) : {}) as { id: number }
}

const agent = new http.Agent({ keepAlive: true })

/** Sends `size` bytes, and drops the body of the answer. Throws if that has another size than `expected`. */
function send(options: http.RequestOptions, size: number, expected?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...(options.headers as object), ...(size ? { 'content-length': size } : {}), host: 'localhost' }
    const request = http.request({ host: '127.0.0.1', agent, ...options, headers }, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => (received += chunk.length))
      response.once('error', reject)
      response.once('end', () => {
        if ((response.statusCode ?? 0) >= 300) reject(new Error(`${options.path}: status ${response.statusCode}`))
        else if (expected !== undefined && received !== expected)
          reject(new Error(`${options.path}: ${received} bytes`))
        else resolve()
      })
    })
    request.once('error', reject)
    let sent = 0
    const write = (): void => {
      while (sent < size) {
        const chunk = part.subarray(0, Math.min(256 * 1024, size - sent))
        sent += chunk.length
        if (!request.write(chunk)) return void request.once('drain', write)
      }
      request.end()
    }
    write()
  })
}
