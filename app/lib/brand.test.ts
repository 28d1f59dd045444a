import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFaviconUrl, buttonColors, isColor } from './brand.ts'

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('a label on any brand color has a contrast of at least 4.5:1', () => {
  fc.assert(fc.property(colors, (color) => buttonColors(color).contrast >= 4.5))
})

test('a light color keeps its shade and gets a dark label, a dark one a white label', () => {
  expect(buttonColors('#fff7b0')).toMatchObject({ fill: '#fff7b0' })
  expect(buttonColors('#000000')).toMatchObject({ fill: '#000000', label: '#ffffff' })
})

test('the favicon escapes markup in the name', () => {
  expect(decodeURIComponent(toFaviconUrl('#6366f1', '<'))).toContain('&#60;')
})

test('only #rrggbb is a color', () => {
  expect(['#6366f1', '#FFF7B0'].every(isColor)).toBe(true)
  expect(['6366f1', '#fff', '#6366f1;', 'red', ''].some(isColor)).toBe(false)
})
