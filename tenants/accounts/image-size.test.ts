import { expect, test } from 'vitest'
import { jpeg, png } from '#tests/support/images.ts'
import { readJpegSize, readPngSize } from './image-size.ts'

test('the size of a whole image is read', () => {
  expect(readPngSize(png(3, 2))).toEqual({ width: 3, height: 2 })
  expect(readJpegSize(jpeg(300, 200))).toEqual({ width: 300, height: 200 })
})

test.each([0, 1, 8, 20, 33, 40, -1, -12])('a PNG cut off at %i is none', (length) => {
  expect(readPngSize(png(3, 2).subarray(0, length))).toBeNull()
})

test('a PNG with a changed byte, without pixels or with a chunk of any length is none', () => {
  const image = png(3, 2)
  for (const at of [0, 10, 17, 30, 45]) {
    const changed = Buffer.from(image)
    changed[at]! ^= 0xff
    expect(readPngSize(changed), String(at)).toBeNull()
  }
  const start = image.subarray(0, 33)
  expect(readPngSize(Buffer.concat([start, image.subarray(-12)]))).toBeNull()
  expect(readPngSize(Buffer.concat([start, Buffer.from('ffffffff', 'hex'), Buffer.alloc(40)]))).toBeNull()
})

test.each([0, 2, 3, 10, 20, -2])('a JPEG cut off at %i is none', (length) => {
  expect(readJpegSize(jpeg(300, 200).subarray(0, length))).toBeNull()
})

test('a JPEG that is only its first bytes, or has a segment of any length, is none', () => {
  expect(readJpegSize(Buffer.from('ffd8ffe0', 'hex'))).toBeNull()
  expect(readJpegSize(Buffer.concat([Buffer.from('ffd8ffe00000', 'hex'), Buffer.alloc(100)]))).toBeNull()
  expect(readJpegSize(Buffer.concat([Buffer.from('ffd8ffe0ffff', 'hex'), Buffer.alloc(100)]))).toBeNull()
  expect(readJpegSize(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1000, 0xff)]))).toBeNull()
})
