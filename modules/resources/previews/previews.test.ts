import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { makePreview, previewQueue } from './previews.ts'

const app = createTestApp()

async function send(as: Coach, content: Buffer, name: string): Promise<number> {
  const { body } = await app.call('POST', '/api/uploads', { as, body: { name, size: content.length } })
  const headers = { 'content-type': 'application/octet-stream' }
  await app.call('PUT', `/api/uploads/${body.id}`, { as, raw: new Uint8Array(content), headers })
  return body.id
}
const add = async (as: Coach, content: Buffer, name = 'photo.jpg'): Promise<number> =>
  (await app.call('POST', '/api/files', { as, body: { name, uploadId: await send(as, content, name) } })).body.id

/** Runs the jobs that make previews. Returns how many there were. */
async function runJobs(): Promise<number> {
  const jobs = await app.platform.boss.fetch<Parameters<typeof makePreview>[1]>(previewQueue, { batchSize: 50 })
  for (const { id, data } of jobs) {
    await makePreview(app.platform, data)
    await app.platform.boss.complete(previewQueue, id)
  }
  return jobs.length
}

const getFile = async (as: Coach, id: number) => (await app.call('GET', `/api/files/${id}`, { as })).body
async function getPicture(as: Coach, url: string) {
  const request = new Request(`http://localhost:3000${url}`, { headers: { host: 'localhost:3000', cookie: as.cookie } })
  const response = await app.fetch(request)
  const content = Buffer.from(await response.arrayBuffer())
  return { headers: response.headers, status: response.status, content, image: await sharp(content).metadata() }
}

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0f766e' } })
    .withExif({ IFD0: { Artist: 'A secret name' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .jpeg()

/** A picture of one colour that says how large it is, in a few kilobytes. */
function toPng(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size[8] = 1
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

test('a picture gets two smaller ones without what else was in it', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const id = await add(coach, await photo(3000, 2000).toBuffer())
  expect(await getFile(coach, id)).toMatchObject({ thumbnailUrl: null, previewUrl: null })
  expect(await runJobs()).toBe(1)
  const { thumbnailUrl, previewUrl } = await getFile(coach, id)
  const [thumbnail, preview] = [await getPicture(coach, thumbnailUrl), await getPicture(coach, previewUrl)]
  expect([thumbnail.image.width, thumbnail.image.height]).toEqual([160, 107])
  expect([preview.image.width, preview.image.height]).toEqual([1600, 1067])
  for (const { headers, content, image } of [thumbnail, preview]) {
    expect(image).toMatchObject({ format: 'webp' })
    expect(image.exif).toBeUndefined()
    expect(content.includes('A secret name')).toBe(false)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toContain('private')
  }
  expect((await getPicture(await createCoach(), thumbnailUrl).catch(() => null))?.status ?? 404).toBe(404)
})

test('a small picture stays as small, and one from a telephone stands upright', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const small = await add(coach, toPng(30, 20), 'small.png')
  const turned = await add(coach, await photo(400, 200).withMetadata({ orientation: 6 }).toBuffer())
  await runJobs()
  const { image } = await getPicture(coach, (await getFile(coach, small)).previewUrl)
  expect([image.width, image.height]).toEqual([30, 20])
  const upright = await getPicture(coach, (await getFile(coach, turned)).previewUrl)
  expect([upright.image.width, upright.image.height]).toEqual([200, 400])
})

test('nothing is decoded of a picture that is too large, broken, or no picture at all', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const jpeg = await photo(800, 600).toBuffer()
  const refused = {
    'bomb.png': toPng(12_000, 12_000),
    'claims.png': toPng(60_000, 60_000, 1),
    'cut.jpg': jpeg.subarray(0, jpeg.length / 2),
    'noise.jpg': Buffer.concat([jpeg.subarray(0, 200), Buffer.alloc(5000, 7)]),
  }
  const ids = []
  for (const [name, content] of Object.entries(refused)) ids.push(await add(coach, content, name))
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  ids.push(await add(coach, svg, 'drawing.png'))
  expect(await runJobs()).toBe(4)
  for (const id of ids) {
    expect(await getFile(coach, id)).toMatchObject({ thumbnailUrl: null, previewUrl: null })
    expect((await app.call('GET', `/api/files/${id}/thumbnail`, { as: coach })).status).toBe(404)
  }
  // The process goes on with the next one.
  const id = await add(coach, jpeg)
  await runJobs()
  expect((await getFile(coach, id)).thumbnailUrl).not.toBeNull()
})

test('of a picture with more at its end only the picture is shown', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const gif = await sharp(toPng(30, 20)).gif().toBuffer()
  const id = await add(coach, Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]), 'both.gif')
  await runJobs()
  const { content, image } = await getPicture(coach, (await getFile(coach, id)).previewUrl)
  expect(image.format).toBe('webp')
  expect(content.includes('script')).toBe(false)
})

test('another version has another picture, and the former one is deleted', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const id = await add(coach, await photo(300, 200).toBuffer())
  await runJobs()
  const former = (await getFile(coach, id)).thumbnailUrl
  await app.call('POST', `/api/files/${id}/versions`, {
    as: coach,
    body: { uploadId: await send(coach, toPng(20, 20), 'b.png') },
  })
  expect((await getFile(coach, id)).thumbnailUrl).toBeNull()
  const deleted = await app.platform.boss.fetch('platform.delete-bytes', { batchSize: 50 })
  expect(deleted).toHaveLength(2)
  await runJobs()
  expect((await getFile(coach, id)).thumbnailUrl).not.toBe(former)
})

test('only a PDF opens in the browser, and runs nothing there', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const pdf = await add(coach, Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'), 'plan.pdf')
  const { headers } = await app.call('GET', `/api/files/${pdf}/view`, { as: coach })
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toBe('inline')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(headers.get('content-security-policy')).not.toContain('script')
  const html = await add(coach, Buffer.from('<!doctype html><script>alert(1)</script>'), 'plan.pdf')
  expect((await app.call('GET', `/api/files/${html}/view`, { as: coach })).status).toBe(404)
})
