import fc from 'fast-check'
import { decode, encode } from 'turbo-stream'
import { expect, test } from 'vitest'
import { encodeLoaderData } from './encode-loader-data.ts'

const values = fc.object({
  maxDepth: 4,
  values: [
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  ],
})

test('the encoding equals that of turbo-stream', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const encoded = encodeLoaderData(value)
      expect(encoded).toBe(await new Response(encode(value)).text())
      expect((await decode(new Response(encoded).body!)).value).toEqual((await decode(encode(value))).value)
    }),
  )
})

test.each([new Date(), new Map(), Object.create(null), () => 1, Symbol('a'), 1n, new (class Custom {})()])(
  'rejects value %#, which is not JSON',
  (value) => {
    expect(() => encodeLoaderData({ value })).toThrow(TypeError)
  },
)
