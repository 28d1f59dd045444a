import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const screens = [
  ...globSync('{app,modules}/**/*.tsx', { cwd: root }),
  ...globSync('scripts/new-module/templates/**/*.tsx.txt', { cwd: root }),
]
const sources = screens.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

const typedInto = /<(\w*Fields?|DropZone)\b(?<!<SelectField)|<input(?![^>]*type="(hidden|radio|checkbox)")/
const posted = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/<((?:\w+\.)?Form|form)\s([^]*?)<\/\1>/g)]
    .filter(([form]) => /method="post"/.test(form) && typedInto.test(form))
    .map(([form]) => ({ file, form })),
)

test("a form validated by the server turns off the browser's validation", () => {
  expect(posted.length).toBeGreaterThan(20)
  expect(
    posted.filter(({ form }) => !/\{\.\.\.[\w.]*\bform\.props\}|\snoValidate\s/.test(form)).map(({ file }) => file),
  ).toEqual([])
})

test('required fields are announced to screen readers and validated by the server', () => {
  expect(
    sources
      .filter(({ text }) => /<(input|select|textarea|\w+Field)\b[^>]*\s(required|minLength|pattern)[\s=/]/.test(text))
      .map(({ file }) => file),
  ).toEqual([])
})
