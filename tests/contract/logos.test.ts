import { expect, test } from 'vitest'
import { removeLogo, saveLogo } from '#tenants/accounts/logos.ts'
import { userOf } from '#tenants/accounts/accounts.ts'
import { aCoach, aHouse, asCoach, ctxFor } from '#tests/support/test-app.ts'

const house = aHouse()
const svg = Buffer.from(
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
)
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const picture = (address: string) => house.app.fetch(new Request(`http://localhost:3000${address}`))
const logoOf = async (coach: Awaited<ReturnType<typeof aCoach>>) => (await userOf(await ctxFor(coach))).logoUrl

test('a logo is shown to anybody who knows its address, and nothing in it can run', async () => {
  const coach = await aCoach(house)
  const address = await asCoach(coach, (ctx) => saveLogo(ctx, svg))
  expect(await logoOf(coach)).toBe(address)
  const response = await picture(address)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(svg)
})

test('the next logo takes the place of the one before, and without one nothing is left', async () => {
  const coach = await aCoach(house)
  const first = await asCoach(coach, (ctx) => saveLogo(ctx, svg))
  const second = await asCoach(coach, (ctx) => saveLogo(ctx, png))
  expect((await picture(first)).status).toBe(404)
  expect((await picture(second)).headers.get('content-type')).toBe('image/png')
  await asCoach(coach, (ctx) => removeLogo(ctx))
  expect((await picture(second)).status).toBe(404)
  expect(await logoOf(coach)).toBeNull()
})

test('of many saved at once one stays', async () => {
  const coach = await aCoach(house)
  const saved = await Promise.all(Array.from({ length: 8 }, () => asCoach(coach, (ctx) => saveLogo(ctx, svg))))
  const shown = await Promise.all(saved.map(async (address) => (await picture(address)).status))
  expect(shown.filter((status) => status === 200)).toHaveLength(1)
  expect((await picture((await logoOf(coach))!)).status).toBe(200)
})

test.each([
  ['a comment first', '<!-- drawn by hand --><svg/>'],
  [
    'a declaration, a type and comments',
    '\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "x" "y">\n<!-- b --><!-- c -->\n<svg viewBox="0 0 1 1"></svg>',
  ],
])('an SVG may have %s', async (_what, text) => {
  expect(await asCoach(await aCoach(house), (ctx) => saveLogo(ctx, Buffer.from(text)))).toMatch(/^\/uploads\//)
})

test('what only begins like a picture is refused at once, however it is nested', async () => {
  const coach = await aCoach(house)
  const began = performance.now()
  for (const text of ['<!---->'.repeat(500) + 'x', '<!--'.repeat(1000), '<?xml '.repeat(500)]) {
    await expect(asCoach(coach, (ctx) => saveLogo(ctx, Buffer.from(text)))).rejects.toMatchObject({
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
])('%s is no logo', async (_what, content) => {
  const coach = await aCoach(house)
  await expect(asCoach(coach, (ctx) => saveLogo(ctx, content))).rejects.toMatchObject({
    code: 'validation_failed',
    message: 'Please upload an image file (PNG, JPG, or SVG).',
  })
})

test('a picture of more than 5 MB is refused', async () => {
  const coach = await aCoach(house)
  await expect(
    asCoach(coach, (ctx) => saveLogo(ctx, Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))),
  ).rejects.toMatchObject({ code: 'too_large' })
})

test('the address of an upload is taken by the API when it is the coach’s own, and refused when it is another’s or nobody’s', async () => {
  const [owner, stranger] = [await aCoach(house), await aCoach(house)]
  const logoUrl = await asCoach(owner, (ctx) => saveLogo(ctx, png))
  expect((await house.call('PUT', '/api/branding', { as: owner, body: { logoUrl } })).status).toBe(200)
  expect(await house.call('PUT', '/api/branding', { as: stranger, body: { logoUrl } })).toMatchObject({ status: 422 })
  expect(
    await house.call('PUT', '/api/branding', { as: owner, body: { logoUrl: `/uploads/${'0'.repeat(32)}` } }),
  ).toMatchObject({ status: 422 })
  expect(await logoOf(stranger)).toBeNull()
})

test.each(['/uploads/x', `/uploads/${'g'.repeat(32)}`, '/uploads/..%2f..%2fetc%2fpasswd'])(
  '%s is not found',
  async (path) => {
    expect((await picture(path)).status).toBe(404)
  },
)
