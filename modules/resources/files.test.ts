import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { eraseRecord } from '#modules/core/trash.ts'
import { plans } from '#tenants/accounts/plans.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { createKey } from '#tenants/files/files.ts'
import { receiveForm } from '#tenants/files/form-upload.ts'
import { deleteStoredBytes } from '#tenants/files/jobs.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult } from '#tests/support/test-app.ts'
import { addVersion, deleteOrphanedFiles, replaceFile, updateFile } from './services/files.ts'
import { createShare, resendShare } from './services/shares.ts'

const app = createTestApp()

type Parts = Record<string, string>

/** Sends a form with a file, as browsers do. */
async function upload(
  as: Coach,
  content: Uint8Array | string,
  name = 'plan.pdf',
  fields: Parts = {},
): Promise<CallResult> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([content as BlobPart], { type: 'text/html' }), name)
  const sent = new Response(form)
  return app.call('POST', '/api/files', {
    as,
    raw: new Uint8Array(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type')! },
  })
}

async function download(
  as: Coach,
  id: number,
  query = '',
  headers: Record<string, string> = {},
): Promise<{ headers: Headers; content: Buffer; status: number }> {
  const request = new Request(`http://localhost:3000/api/files/${id}/download${query}`, {
    headers: { host: 'localhost:3000', cookie: as.cookie, ...headers },
  })
  const response = await app.fetch(request)
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypmp42\0\0\0\0mp42isom'), randomBytes(64)])

/** An entry of a zip file, as it begins. */
function zipEntry(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content, { level: 1 })
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(crc32(content), 14)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed])
}
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const wordTypes = zipEntry('[Content_Types].xml', Buffer.from(`<Types><Override ContentType="${wordType}.main+xml"/>`))

describe('a file', () => {
  test('is stored as it is, and downloaded as an attachment', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const client = await createClient({ coach })
    const created = await upload(coach, pdf, 'Übung für Anna.pdf', {
      clientId: String(client.id),
      tags: 'first, Habit, first',
    })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      coachId: coach.id,
      clientId: client.id,
      name: 'Übung für Anna.pdf',
      fileName: 'Übung für Anna.pdf',
      type: 'document',
      size: pdf.length,
      fileSize: pdf.length,
      fileType: 'application/pdf',
      fileUrl: `/api/files/${created.body.id}/download`,
      isShared: false,
      tags: ['first', 'Habit'],
    })
    const { headers, content } = await download(coach, created.body.id)
    expect(content.equals(pdf)).toBe(true)
    expect(headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%C3%9Cbung/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-length')).toBe(String(pdf.length))
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test.each<[string, Buffer, string, string]>([
    ['clip.mp4', mp4, 'video', 'video/mp4'],
    ['photo.png', png, 'other', 'image/png'],
    ['notes.txt', Buffer.from('Grüße\n'), 'document', 'text/plain'],
    ['plan.docx', Buffer.concat([wordTypes, zipEntry('word/document.xml', pdf)]), 'document', wordType],
    ['unknown.bin', Buffer.from([1, 0, 2, 0, 3]), 'other', 'application/octet-stream'],
  ])('%s has the type of its content', async (name, content, type, fileType) => {
    const coach = await createCoach({ plan: 'pro' })
    expect((await upload(coach, content, name)).body).toMatchObject({ type, fileType })
  })

  test('is renamed, moved and downloaded under its new name with its extension', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const { body: file } = await upload(coach, pdf)
    const { body: folder } = await app.call('POST', '/api/files/folders', { as: coach, body: { name: 'Plans' } })
    const body = { name: 'My plan', folderId: folder.id, tags: ['spring'] }
    const edited = await app.call('PATCH', `/api/files/${file.id}`, { as: coach, body })
    expect(edited.body).toMatchObject({ ...body, fileName: 'My plan' })
    expect((await download(coach, file.id)).headers.get('content-disposition')).toContain('filename="My plan.pdf"')
    expect(
      (await app.call('PATCH', `/api/files/${file.id}`, { as: coach, body: { clientId: null } })).body,
    ).toMatchObject(body)
    expect(
      (await app.call('PATCH', `/api/files/${file.id}`, { as: coach, body: { clientId: 999_999 } })).body.message,
    ).toBe('Client not found')
    expect(
      (await app.call('PATCH', `/api/files/${file.id}`, { as: coach, body: { folderId: 999_999 } })).body.message,
    ).toBe('Folder not found')
  })

  test('keeps its former versions', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const { body: file } = await upload(coach, pdf)
    const { body: sent } = await app.call('POST', '/api/uploads', { as: coach, body: { name: 'second.txt', size: 6 } })
    const headers = { 'content-type': 'application/octet-stream' }
    await app.call('PUT', `/api/uploads/${sent.id}`, { as: coach, raw: 'second', headers })
    const replaced = await app.call('POST', `/api/files/${file.id}/versions`, {
      as: coach,
      body: { uploadId: sent.id },
    })
    expect(replaced.body).toMatchObject({ id: file.id, name: 'plan.pdf', size: 6, fileType: 'text/plain' })
    const { body } = await app.call('GET', `/api/files/${file.id}/versions`, { as: coach })
    expect(body.versions.map(({ number, size }: { number: number; size: number }) => [number, size])).toEqual([
      [2, 6],
      [1, pdf.length],
    ])
    expect(String((await download(coach, file.id)).content)).toBe('second')
    expect((await download(coach, file.id, '?version=1')).content.equals(pdf)).toBe(true)
    expect((await download(coach, file.id, '?version=3')).status).toBe(404)
  })

  test('of a client who is read-only can’t be changed, replaced or shared, only read and deleted', async () => {
    const coach = await createCoach({ plan: 'premium' })
    const client = await createClient({ coach, email: 'grace-read-only@example.com' })
    const { body: file } = await upload(coach, pdf, 'plan.pdf', { clientId: String(client.id), isShared: 'true' })
    const { body: sent } = await app.call('POST', '/api/uploads', { as: coach, body: { name: 'second.txt', size: 6 } })
    await app.call('PUT', `/api/uploads/${sent.id}`, {
      as: coach,
      raw: 'second',
      headers: { 'content-type': 'application/octet-stream' },
    })
    const [{ id: shareId }] = (await app.call('GET', `/api/files/${file.id}/shares`, { as: coach })).body
    expect((await app.call('POST', `/api/clients/${client.id}/archive`, { as: coach })).status).toBe(200)
    await setPlan(coach, 'free')
    for (let index = 0; index < plans.free.maxClients!; index++) await createClient({ coach })
    const content = { key: createKey(coach.id), size: 6, contentType: 'text/plain' }
    const refusal = { code: 'plan_limit', message: expect.stringContaining('read-only') }
    const changes: ((tx: WriteCtx) => Promise<unknown>)[] = [
      (tx) => updateFile(tx, file.id, { name: 'My plan' }),
      (tx) => addVersion(tx, file.id, sent.id),
      (tx) => replaceFile(tx, file.id, { name: 'second.txt', content }),
      (tx) => createShare(tx, file.id, { audience: 'link' }),
      (tx) => resendShare(tx, shareId),
    ]
    for (const change of changes) await expect(inTenant(coach, change)).rejects.toMatchObject(refusal)
    expect((await download(coach, file.id)).content.equals(pdf)).toBe(true)
    expect((await app.call('DELETE', `/api/files/${file.id}/shares/${shareId}`, { as: coach })).status).toBe(204)
    expect((await app.call('DELETE', `/api/files/${file.id}`, { as: coach })).status).toBe(204)
  })

  test('is a link or a video elsewhere, which has nothing to download', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const add = (body: object) => app.call('POST', '/api/files', { as: coach, body })
    const { body: link } = await add({ name: 'Talk', fileUrl: 'https://example.com/talk', type: 'video' })
    expect(link).toMatchObject({ type: 'video', fileUrl: 'https://example.com/talk', size: null, fileType: null })
    expect((await download(coach, link.id)).status).toBe(409)
    for (const fileUrl of ['http://example.com', 'javascript:alert(1)', 'data:text/html,x', 'ftp://example.com', 'x'])
      expect((await add({ name: 'Talk', fileUrl, type: 'link' })).status).toBe(422)
    expect((await add({ name: 'Talk' })).body.message).toBe('Send a file, or the address of a link')
  })
})

describe('bad input', () => {
  /** Grows two hundred times and more when it is unpacked. */
  const zeros = Buffer.alloc(50 * 1024 ** 2)
  const corpus: Record<string, Buffer | string> = {
    'page.pdf': '<!doctype html><script>alert(1)</script>',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
    'feed.xml': '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    'image.gif': `GIF89a/*${'\0'.repeat(10)}*/=1;alert(1)//<script>alert(1)</script>`,
    'script.js': 'alert(document.cookie)',
    'both.pdf': Buffer.concat([pdf, Buffer.from('<script>alert(1)</script>')]),
    'archive.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('PK\x03\x04<html>')]),
    'mhtml.txt':
      'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<script>',
    'bomb.zip': zipEntry('zeros.txt', zeros),
    'bomb.docx': Buffer.concat([wordTypes, zipEntry('word/document.xml', zeros)]),
    'types-bomb.docx': zipEntry('[Content_Types].xml', zeros),
    'bomb.gz': gzipSync(zeros, { level: 1 }),
  }

  test.each(Object.keys(corpus))('%s never comes back unpacked, or as something that a browser runs', async (name) => {
    const coach = await createCoach({ plan: 'pro' })
    const { body } = await upload(coach, corpus[name]!, name)
    const { headers, content, status } = await download(coach, body.id)
    expect([status, content.equals(Buffer.from(corpus[name]!))]).toEqual([200, true])
    expect(headers.get('content-type')).not.toMatch(/html|(?<!open)xml|svg|javascript/)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each<[string, string]>([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/absolute/plan.pdf', 'plan.pdf'],
    ['safe\u202efdp.exe', 'safefdp.exe'],
    ['line\r\nbreak.pdf', 'linebreak.pdf'],
    ['plan\0.exe\0.pdf', 'plan.exe.pdf'],
    ['\u202e\u2067fdp.\u200bnalp', 'fdp.nalp'],
    ['a"b.pdf', 'a_b.pdf'],
    ['....', 'file'],
    [`${'ü'.repeat(300)}.pdf`, `${'ü'.repeat(251)}.pdf`],
  ])('the name %j becomes %j, and stays in its folder', async (sent, kept) => {
    const coach = await createCoach({ plan: 'pro' })
    const created = await upload(coach, pdf, sent)
    expect([created.status, created.body.name]).toEqual([201, kept])
    expect((await download(coach, created.body.id)).headers.get('content-disposition')).not.toMatch(/[\r\n]/)
    const folder = path.join(app.platform.config.dataDir, 'files', String(coach.id))
    expect(readdirSync(folder).every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true)
  })

  test.each<[string, string]>([
    [`filename="plan\0\u202e.pdf"; filename*=UTF-8''%E2%80%AEfdp%00.exe`, 'plan.pdf'],
    [`filename="%E2%80%AE%00plan%0D%0A.pdf"`, '%E2%80%AE%00plan.pdf'],
    [`filename=plan.pdf; filename*=nonsense'%00`, 'file'],
  ])('a form that sends %j has a file %s', async (parameters, kept) => {
    const coach = await createCoach({ plan: 'pro' })
    const raw = `--x\r\nContent-Disposition: form-data; name="file"; ${parameters}\r\n\r\nabc\r\n--x--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const created = await app.call('POST', '/api/files', { as: coach, raw, headers })
    expect([created.status, created.body.name, created.body.size]).toEqual([201, kept, 3])
  })

  test('of a name of many thousand characters only the last 1,000 count', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const created = await upload(coach, pdf, `b${'a'.repeat(1000)}.pdf`)
    expect([created.status, created.body.name]).toEqual([201, `${'a'.repeat(251)}.pdf`])
    expect((await upload(coach, pdf, `${'.'.repeat(5000)}plan.pdf`)).body.name).toBe('plan.pdf')
    // The header of a part is read up to its limit.
    expect((await upload(coach, pdf, `${'.'.repeat(17_000)}plan.pdf`)).body.name).toBe('file')
  })

  test('an empty file, a form without one, with two, or cut off is refused, and leaves no bytes', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const send = (raw: string, type = 'multipart/form-data; boundary=x') =>
      app.call('POST', '/api/files', { as: coach, raw, headers: { 'content-type': type } })
    const part = (name: string, more = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nabc\r\n`
    expect((await upload(coach, '')).body.message).toBe('This file is empty. Choose another one.')
    expect((await send(`${part('name')}--x--\r\n`)).body.message).toBe('Choose a file.')
    expect((await send(`${part('file', '; filename="a"')}${part('file', '; filename="b"')}--x--\r\n`)).status).toBe(422)
    expect((await send(part('file', '; filename="a"'))).status).toBe(400)
    expect((await send('nonsense')).status).toBe(400)
    expect((await send('x', 'multipart/form-data')).status).toBe(400)
    expect(
      (await send(`${part('clientId').replace('abc', '12x')}${part('file', '; filename="a"')}--x--\r\n`)).status,
    ).toBe(422)
    expect((await app.call('GET', '/api/files', { as: coach })).body).toEqual([])
    const kept: string[] = []
    for await (const { key } of app.platform.fileStore.list(`${coach.id}/`)) kept.push(key)
    expect(kept).toEqual([])
  })

  test('a form is refused while it arrives when its file, a field or their number is too large', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const ctx = await contextFor(coach)
    const receive = async (form: FormData) => {
      const sent = new Response(form)
      const content = Readable.fromWeb(sent.body as Parameters<typeof Readable.fromWeb>[0])
      const type = sent.headers.get('content-type')!
      return receiveForm(ctx, { type, length: null, stream: content }, 1024 ** 2)
    }
    const file = (bytes: number) => {
      const form = new FormData()
      form.append('file', new Blob([Buffer.alloc(bytes, 'x')]), 'plan.txt')
      return form
    }
    expect((await receive(file(1024 ** 2))).content.size).toBe(1024 ** 2)
    const tooLarge = { code: 'too_large', message: 'Choose a file of at most 1 MB.' }
    await expect(receive(file(1024 ** 2 + 1))).rejects.toMatchObject(tooLarge)
    const longField = file(10)
    longField.append('name', 'x'.repeat(64 * 1024 + 1))
    await expect(receive(longField)).rejects.toMatchObject({ code: 'too_large' })
    const manyFields = file(10)
    for (let field = 0; field < 21; field++) manyFields.append(`field${field}`, 'x')
    await expect(receive(manyFields)).rejects.toMatchObject({ code: 'validation_failed' })
    const kept: number[] = []
    for await (const { size } of app.platform.fileStore.list(`${coach.id}/`)) kept.push(size)
    expect(kept).toEqual([1024 ** 2])
  })

  test('more than the plan holds is refused while it arrives', async () => {
    const coach = await createCoach({ plan: 'free' })
    const room = await app.call('POST', '/api/uploads', { as: coach, body: { name: 'x', size: 199 * 1024 ** 2 } })
    expect(room.status).toBe(201)
    const refused = await upload(coach, randomBytes(2 * 1024 ** 2))
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit'])
  })
})

test('the bytes go when the trash is emptied, and with an erased client', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const client = await createClient({ coach })
  const { body: file } = await upload(coach, pdf)
  const { body: ofClient } = await upload(coach, png, 'photo.png', { clientId: String(client.id) })
  const kinds = app.platform.extensions.recordKinds
  const erase = (kind: string, id: number) =>
    inTenant(coach, (tx) => eraseRecord(tx, kinds.find((each) => each.kind === kind)!, id))

  expect((await app.call('DELETE', `/api/files/${file.id}`, { as: coach })).status).toBe(204)
  expect((await download(coach, file.id)).status).toBe(404)
  expect((await app.call('POST', `/api/files/${file.id}/restore`, { as: coach })).status).toBe(200)
  expect((await download(coach, file.id)).status).toBe(200)
  await app.call('DELETE', `/api/files/${file.id}`, { as: coach })
  await erase('resource', file.id)

  await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
  expect((await download(coach, ofClient.id)).status).toBe(404)
  await erase('client', client.id)
  await inTenant(coach, deleteOrphanedFiles)

  for (const { data } of await app.platform.boss.fetch<{ key: never }>('platform.delete-bytes', { batchSize: 50 }))
    await deleteStoredBytes(app.platform, { storeId: null, ...data })
  const left: string[] = []
  for await (const { key } of app.platform.fileStore.list(`${coach.id}/`)) left.push(key)
  expect(left).toEqual([])
})

test('an interrupted download goes on, unless another version has come in between', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const content = randomBytes(600_000)
  const { body: file } = await upload(coach, content, 'workshop.bin')
  const { headers } = await download(coach, file.id)
  const goOn = (more = {}) => download(coach, file.id, '', { range: 'bytes=360000-', ...more })
  const rest = await goOn({ 'if-range': headers.get('etag')! })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 360000-599999/600000'])
  expect(rest.content.equals(content.subarray(360_000))).toBe(true)
  const { status, headers: refused } = await download(coach, file.id, '', { range: 'bytes=600000-' })
  expect([status, refused.get('content-range')]).toEqual([416, 'bytes */600000'])

  const { body: sent } = await app.call('POST', '/api/uploads', { as: coach, body: { name: 'second.txt', size: 6 } })
  await app.call('PUT', `/api/uploads/${sent.id}`, {
    as: coach,
    raw: 'second',
    headers: { 'content-type': 'application/octet-stream' },
  })
  await app.call('POST', `/api/files/${file.id}/versions`, { as: coach, body: { uploadId: sent.id } })
  const changed = await goOn({ 'if-range': headers.get('etag')! })
  expect([changed.status, String(changed.content)]).toEqual([200, 'second'])
})

test('a file of many megabytes is the same when it comes back', async () => {
  const coach = await createCoach({ plan: 'pro' })
  await setPlan(coach, 'premium')
  const content = randomBytes(20 * 1024 ** 2)
  const { body } = await upload(coach, content, 'workshop.bin')
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(hash((await download(coach, body.id)).content)).toBe(hash(content))
})
