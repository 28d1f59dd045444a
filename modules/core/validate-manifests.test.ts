import { expect, test } from 'vitest'
import { z } from 'zod'
import { migration } from '#db/migration.ts'
import type { ModuleManifest } from './manifest.ts'
import { defineEvent, on } from './events.ts'
import { problemsOf } from './validate-manifests.ts'

const sound: ModuleManifest = {
  id: 'notes',
  entities: [],
  migrations: [],
  permissions: { 'notes:note:read': 'See notes' },
}
const added = defineEvent('crm.client-added', z.object({ clientId: z.int() }))
const nothing = async () => {}

test('a list without a fault has no problem', () => {
  expect(
    problemsOf([
      sound,
      {
        ...sound,
        id: 'more-notes',
        permissions: {},
        dependsOn: ['notes'],
        subscribers: [on('more-notes', added, nothing)],
      },
    ]),
  ).toEqual([])
})

test.each<[string, Partial<ModuleManifest>, string]>([
  [
    'an id that is no folder',
    { id: 'My Notes', permissions: {} },
    'The module "My Notes" needs an id of a-z, 0-9 and hyphens, the name of its folder',
  ],
  [
    'a missing module',
    { dependsOn: ['crm'] },
    'The module "notes" needs the module "crm", which is not before it in modules/registry.ts',
  ],
  [
    "another's permission",
    { permissions: { 'crm:client:read': 'See clients' } },
    '"crm:client:read" of the module "notes" has to begin with "notes:"',
  ],
  [
    "another's migration",
    { migrations: [migration('crm/0001-notes', '')] },
    '"crm/0001-notes" of the module "notes" has to begin with "notes/"',
  ],
  [
    'a migration that is there twice',
    { migrations: [migration('notes/0001-a', ''), migration('notes/0001-a', '')] },
    '"notes/0001-a" of the module "notes" is there twice',
  ],
  [
    "another's queue",
    { jobs: [{ name: 'sweep', run: nothing }] },
    '"sweep" of the module "notes" has to begin with "notes."',
  ],
  [
    "another's reaction",
    { subscribers: [on('crm', added, nothing)] },
    '"crm.on.crm.client-added" of the module "notes" has to begin with "notes.on."',
  ],
  [
    'two reactions to one event',
    { subscribers: [on('notes', added, nothing), on('notes', added, nothing)] },
    '"notes.on.crm.client-added" of the module "notes" is there twice',
  ],
  [
    'a permission that is not explained',
    {
      nav: [
        { label: 'Notes', to: '/notes', icon: 'folder', section: 'main', order: 1, permission: 'notes:note:write' },
      ],
    },
    'The module "notes" asks for the permission "notes:note:write", which it doesn\'t explain',
  ],
  [
    'a page that is there twice',
    {
      routes: [
        { path: 'notes', file: 'routes/a.tsx' },
        { path: 'notes', file: 'routes/b.tsx' },
      ],
    },
    'The modules "notes" and "notes" both have the page "notes"',
  ],
])('%s is told', (_what, fault, sentence) => {
  expect(problemsOf([{ ...sound, ...fault }])).toEqual([sentence])
})

test('two modules of one name, and a need that comes later, are told', () => {
  expect(problemsOf([sound, sound])).toEqual(['Two modules are called "notes"'])
  expect(
    problemsOf([
      { ...sound, dependsOn: ['crm'] },
      { ...sound, id: 'crm', permissions: {} },
    ]),
  ).toHaveLength(1)
})
