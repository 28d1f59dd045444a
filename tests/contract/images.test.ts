import { expect, test } from 'vitest'
import { deleteImage, saveImage } from '#tenants/accounts/images.ts'
import { getUser } from '#tenants/accounts/accounts.ts'
import { createCoach, inTenant, contextFor } from '#tests/support/factories.ts'
import { jpeg, png } from '#tests/support/images.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
const svg = Buffer.from(
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
)

const fetchLogo = (address: string) =>
  app.fetch(new Request(`http://localhost:3000${address}`, { headers: { host: 'localhost:3000' } }))
const getLogoUrl = async (coach: Awaited<ReturnType<typeof createCoach>>) =>
  (await getUser(await contextFor(coach))).logoUrl

test('a logo is public at its URL, and scripts in it cannot run', async () => {
  const coach = await createCoach()
  const address = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', svg))
  expect(await getLogoUrl(coach)).toBe(address)
  const response = await fetchLogo(address)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*style-src 'unsafe-inline'; sandbox$/),
    'content-disposition': 'inline; filename="image.svg"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const text = await response.text()
  expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
  expect(text).not.toContain('script')
})

test('a new logo replaces the old one, and removing it deletes the file', async () => {
  const coach = await createCoach()
  const first = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', svg))
  const second = await inTenant(coach, (ctx) => saveImage(ctx, 'logo', png(2, 2)))
  expect((await fetchLogo(first)).status).toBe(404)
  expect((await fetchLogo(second)).headers.get('content-type')).toBe('image/png')
  await inTenant(coach, (ctx) => deleteImage(ctx, 'logo'))
  expect((await fetchLogo(second)).status).toBe(404)
  expect(await getLogoUrl(coach)).toBeNull()
})

test('of many concurrent uploads one is kept', async () => {
  const coach = await createCoach()
  const saved = await Promise.all(
    Array.from({ length: 8 }, () => inTenant(coach, (ctx) => saveImage(ctx, 'logo', svg))),
  )
  const shown = await Promise.all(saved.map(async (address) => (await fetchLogo(address)).status))
  expect(shown.filter((status) => status === 200)).toHaveLength(1)
  expect((await fetchLogo((await getLogoUrl(coach))!)).status).toBe(200)
})

test.each([
  ['a comment first', '<!-- drawn by hand --><svg/>'],
  [
    'a declaration, a type and comments',
    '\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "x" "y">\n<!-- b --><!-- c -->\n<svg viewBox="0 0 1 1"></svg>',
  ],
])('an SVG can have %s', async (_what, text) => {
  expect(await inTenant(await createCoach(), (ctx) => saveImage(ctx, 'logo', Buffer.from(text)))).toMatch(
    /^\/uploads\//,
  )
})

test('a file that only starts like an image is rejected quickly, however deeply nested', async () => {
  const coach = await createCoach()
  const began = performance.now()
  for (const text of ['<!---->'.repeat(500) + 'x', '<!--'.repeat(1000), '<?xml '.repeat(500)]) {
    await expect(inTenant(coach, (ctx) => saveImage(ctx, 'logo', Buffer.from(text)))).rejects.toMatchObject({
      code: 'validation_failed',
    })
  }
  expect(performance.now() - began).toBeLessThan(5000)
})

test.each([
  ['text', Buffer.from('hello')],
  ['a page', Buffer.from('<html><svg></svg></html>')],
  ['nothing', Buffer.alloc(0)],
  ['a GIF', Buffer.from('GIF89a')],
  ['the beginning of a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['the beginning of a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['a PNG without pixels', png(2, 2, { width: 0 })],
  ['half an SVG', Buffer.from('<svg><g></svg>')],
])('%s is not a logo', async (_what, content) => {
  const coach = await createCoach()
  await expect(inTenant(coach, (ctx) => saveImage(ctx, 'logo', content))).rejects.toMatchObject({
    code: 'validation_failed',
    message: 'Please upload an image file (PNG, JPG, or SVG).',
  })
})

test('the name of an uploaded image ends as its content says', async () => {
  const coach = await createCoach()
  const save = (content: Buffer, name: string) => inTenant(coach, (ctx) => saveImage(ctx, 'logo', content, name))
  for (const [content, name] of [
    [png(2, 2), 'Logo.PNG'],
    [jpeg(2, 2), 'a.b/../me.jpeg'],
    [svg, 'star.svg'],
  ] as const)
    expect(await save(content, name)).toMatch(/^\/uploads\//)
  for (const [content, name] of [
    [png(2, 2), 'logo.svg'],
    [jpeg(2, 2), 'logo.png'],
    [svg, 'star.html'],
    [svg, 'svg.'],
    [png(2, 2), ''],
  ] as const)
    await expect(save(content, name)).rejects.toThrow('Rename it so that it ends with .')
})

test('an image of more than 5 MB is rejected', async () => {
  const coach = await createCoach()
  await expect(
    inTenant(coach, (ctx) => saveImage(ctx, 'logo', Buffer.concat([png(2, 2), Buffer.alloc(5 * 1024 * 1024)]))),
  ).rejects.toMatchObject({ code: 'too_large' })
})

test('an image that would be enormous when shown is rejected', async () => {
  const coach = await createCoach()
  for (const claimed of [{ width: 8193 }, { height: 100_000 }])
    await expect(inTenant(coach, (ctx) => saveImage(ctx, 'logo', png(2, 2, claimed)))).rejects.toMatchObject({
      code: 'too_large',
      message: 'Please upload an image of at most 8,192 by 8,192 pixels.',
    })
  for (const image of [png(8192, 1), jpeg(8160, 6144)])
    expect(await inTenant(coach, (ctx) => saveImage(ctx, 'logo', image))).toMatch(/^\/uploads\//)
})

test("the API accepts the URL of the coach's own upload and rejects any other", async () => {
  const [owner, stranger] = [await createCoach(), await createCoach()]
  const logoUrl = await inTenant(owner, (ctx) => saveImage(ctx, 'logo', png(2, 2)))
  expect((await app.call('PUT', '/api/branding', { as: owner, body: { logoUrl } })).status).toBe(200)
  expect(await app.call('PUT', '/api/branding', { as: stranger, body: { logoUrl } })).toMatchObject({ status: 422 })
  expect(
    await app.call('PUT', '/api/branding', { as: owner, body: { logoUrl: `/uploads/${'0'.repeat(32)}` } }),
  ).toMatchObject({ status: 422 })
  expect(await getLogoUrl(stranger)).toBeNull()
})

test.each(['/uploads/x', `/uploads/${'g'.repeat(32)}`, '/uploads/..%2f..%2fetc%2fpasswd'])(
  '%s is not found',
  async (path) => {
    expect((await fetchLogo(path)).status).toBe(404)
  },
)
