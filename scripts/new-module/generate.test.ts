import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findTerms } from '../check-terms.mjs'
import { renderTemplates, newModule } from './generate.ts'
import { inflect } from './inflections.ts'

const modules = path.resolve(import.meta.dirname, '../../modules')

test.each([
  [
    'Session Notes',
    `"Session Notes" can't be a module's name: use at most 40 of a-z, 0-9 and single hyphens between words, such as session-notes.`,
  ],
  ['../notes', /can't be a module's name/],
  ['notes-', /can't be a module's name/],
  ['n'.repeat(41), /can't be a module's name/],
  ['crm', /modules\/crm\/ already exists/],
  ['dashboard', /the URL \/dashboard is taken/],
  ['healthz', /the URL \/healthz is taken/],
  ['activities', /the API's \/api\/activities is taken/],
  ['sessions', /the table "session" already exists/],
  ['orders', /its table would be "order", a reserved word of SQL or TypeScript/],
  ['classes', /its table would be "class", a reserved word of SQL or TypeScript/],
  ['permissions', /every module has permissions of its own/],
])('%s is rejected with a message, and nothing is written', (name, message) => {
  const before = [readdirSync(modules), readFileSync(path.join(modules, 'registry.ts'), 'utf8')]
  expect(() => newModule(name)).toThrow(message)
  expect([readdirSync(modules), readFileSync(path.join(modules, 'registry.ts'), 'utf8')]).toEqual(before)
})

test.each([
  ['notes', 'note', 'notes', 'Notes', 'a note'],
  ['session-notes', 'sessionNote', 'sessionNotes', 'Session Notes', 'a session note'],
  ['daily-stories', 'dailyStory', 'dailyStories', 'Daily Stories', 'a daily story'],
  ['inventory', 'inventory', 'inventories', 'Inventory', 'an inventory'],
  ['exercises', 'exercise', 'exercises', 'Exercises', 'an exercise'],
  ['boxes', 'box', 'boxes', 'Boxes', 'a box'],
  ['progress', 'progress', 'progresses', 'Progress', 'a progress'],
])('%s keeps a %s among %s', (id, singular, plural, title, withArticle) => {
  expect(inflect(id)).toMatchObject({ singular, plural, Title: title, 'a-noun': withArticle })
})

test('a generated module uses the terms of the glossary', () => {
  const found = [...renderTemplates(inflect('notes'))].flatMap(([file, text]) => findTerms(file, text))
  expect(found).toEqual([])
})

test('links from the trash and the search open the dialog of the page', () => {
  const files = renderTemplates(inflect('session-notes'))
  expect(files.get('list-state.ts')).toContain('sessionNote: idParam')
  for (const file of ['module.ts', 'search.ts']) expect(files.get(file)).toContain("?dialog=edit&sessionNote=' ||")
})

test('docs/modules.md shows what the generator writes', () => {
  const files = renderTemplates(inflect('notes'))
  const docs = readFileSync(path.join(modules, '../docs/modules.md'), 'utf8')
  const examples = [...docs.matchAll(/`modules\/notes\/([^`]+)`\n\n((?:```tsx?\n[\s\S]*?```\n\n?)+)/g)]
  expect(examples.length).toBeGreaterThan(4)
  for (const [, file, blocks] of examples) {
    for (const [, code] of blocks!.matchAll(/```tsx?\n([\s\S]*?)```\n/g)) expect(files.get(file!)).toContain(code)
  }
})
