import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faviconOf, fillOf, isColor } from './brand.ts'

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('a label on any brand colour has at least 4.5:1', () => {
  fc.assert(fc.property(colors, (color) => fillOf(color).contrast >= 4.5))
})

test('a light colour stays as it is and gets a dark label, a dark one a white label', () => {
  expect(fillOf('#fff7b0')).toMatchObject({ fill: '#fff7b0' })
  expect(fillOf('#000000')).toMatchObject({ fill: '#000000', label: '#ffffff' })
})

test('the tab picture cannot carry markup from a name', () => {
  expect(decodeURIComponent(faviconOf('#6366f1', '<'))).toContain('&#60;')
})

test('only #rrggbb is a colour', () => {
  expect(['#6366f1', '#FFF7B0'].every(isColor)).toBe(true)
  expect(['6366f1', '#fff', '#6366f1;', 'red', ''].some(isColor)).toBe(false)
})
