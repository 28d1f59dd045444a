import { expect, test } from 'vitest'
import { formatFileSize, formatSize } from './format.ts'

test('the size of a small file is shown in bytes or kilobytes to clients', () => {
  expect([0, 1, 212, 1023, 1024, 35_000, 1024 ** 2 - 1, 2_500_000].map(formatFileSize)).toEqual([
    '0 bytes',
    '1 byte',
    '212 bytes',
    '1023 bytes',
    '1 KB',
    '34 KB',
    '1.0 MB',
    '2.4 MB',
  ])
})

test('the table of resources has megabytes with one decimal, and none for a link', () => {
  expect([212, 200 * 1024 ** 2, null].map(formatSize)).toEqual(['0.0 MB', '200.0 MB', '–'])
})
