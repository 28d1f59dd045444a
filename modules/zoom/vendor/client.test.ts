import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testConfig } from '#tests/support/config.ts'
import { createApi, download } from './client.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const configFor = (baseUrl: string) => ({
  ...testConfig(),
  zoom: { clientId: 'id', clientSecret: 'secret', webhookSecret: 'secret', baseUrl },
})

describe('a download', () => {
  test('follows redirects to Zoom, and no other', async () => {
    const visits: string[] = []
    const foreign = await serve((request, response) => {
      visits.push(request.url!)
      response.end('internal')
    })
    const zoom = await serve((request, response) => {
      const targets: Record<string, string> = { '/moved': '/file', '/foreign': `${foreign}/x`, '/loop': '/loop' }
      const location = targets[request.url!]
      if (location) response.writeHead(302, { location }).end()
      else response.end(`sound for ${request.headers.authorization}`)
    })
    const open = async (path: string) => text(await download(configFor(zoom), `${zoom}${path}`, 'token'))
    expect(await open('/moved')).toBe('sound for Bearer token')
    await expect(open('/foreign')).rejects.toMatchObject({ kind: 'refused', code: 'foreign_address' })
    await expect(open('/loop')).rejects.toMatchObject({ kind: 'refused', code: 'too_many_redirects' })
    await expect(download(configFor(zoom), `${foreign}/x`, 'token')).rejects.toMatchObject({ code: 'foreign_address' })
    expect(visits).toEqual([])
  })

  test('that fails with an endless response is given up', async () => {
    const zoom = await serve((_request, response) => {
      response.writeHead(500)
      const write = (): void => {
        while (response.write(Buffer.alloc(500_000, 'a')));
        response.once('drain', write)
      }
      write()
    })
    await expect(download(configFor(zoom), `${zoom}/file`, 'token')).rejects.toMatchObject({ kind: 'down' })
    await expect(createApi(configFor(zoom), 'token').get(z.object({}), '/users/me')).rejects.toMatchObject({
      kind: 'down',
      code: 'garbage',
    })
  })
})
