import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

// Plain streaming to disk and back, with which `npm run bench` compares uploads and downloads.

const { PORT, FOLDER = '' } = process.env
await mkdir(FOLDER, { recursive: true })

createServer((request, response) => {
  const file = path.join(FOLDER, request.url === '/' ? 'none' : 'file')
  const handle = async () => {
    if (request.method === 'PUT') {
      await pipeline(request, createWriteStream(file))
      return void response.writeHead(204).end()
    }
    const found = await stat(file).catch(() => null)
    if (!found) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Length': found.size })
    await pipeline(createReadStream(file), response)
  }
  handle().catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

process.once('SIGTERM', () => process.exit(0))
