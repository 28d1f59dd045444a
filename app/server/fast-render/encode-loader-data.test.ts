import fc from 'fast-check'
import { decode, encode } from 'turbo-stream'
import { expect, test } from 'vitest'
import { handedOver } from './encode-loader-data.ts'

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

test('what loaders answer is written to the letter as turbo-stream writes it, and read by it as it was', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const written = handedOver(value)
      expect(written).toBe(await new Response(encode(value)).text())
      expect((await decode(new Response(written).body!)).value).toEqual((await decode(encode(value))).value)
    }),
  )
})

test.each([new Date(), new Map(), Object.create(null), () => 1, Symbol('a'), 1n, new (class Own {})()])(
  'value no. %# is left to turbo-stream',
  (value) => {
    expect(() => handedOver({ value })).toThrow(TypeError)
  },
)
