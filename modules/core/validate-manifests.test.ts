import { expect, test } from 'vitest'
import { z } from 'zod'
import { migration } from '#db/migration.ts'
import type { ModuleManifest } from './manifest.ts'
import type { AutomationAction } from './automations.ts'
import type { Metric } from './metrics.ts'
import { defineEvent, subscribe } from './events.ts'
import { validateManifests } from './validate-manifests.ts'

const sound: ModuleManifest = {
  id: 'notes',
  entities: [],
  migrations: [],
  permissions: { 'notes:note:read': 'See notes' },
}
const added = defineEvent('crm.client-created', z.object({ clientId: z.int() }))
const nothing = async () => {}

test('accepts a valid list', () => {
  expect(
    validateManifests([
      sound,
      {
        ...sound,
        id: 'more-notes',
        permissions: {},
        dependsOn: ['notes'],
        subscribers: [subscribe('more-notes', added, nothing)],
      },
    ]),
  ).toEqual([])
})

test.each<[string, Partial<ModuleManifest>, string]>([
  [
    'an id that is not a folder name',
    { id: 'My Notes', permissions: {} },
    'The module "My Notes" needs an id of a-z, 0-9 and hyphens, the name of its folder',
  ],
  [
    'a missing module',
    { dependsOn: ['crm'] },
    'The module "notes" depends on "crm", which is not before it in modules/registry.ts',
  ],
  [
    'a permission of another module',
    { permissions: { 'crm:client:read': 'See clients' } },
    '"crm:client:read" of the module "notes" must begin with "notes:"',
  ],
  [
    'a migration of another module',
    { migrations: [migration('crm/0001-notes', '')] },
    '"crm/0001-notes" of the module "notes" must begin with "notes/"',
  ],
  [
    'a migration that is defined twice',
    { migrations: [migration('notes/0001-a', ''), migration('notes/0001-a', '')] },
    '"notes/0001-a" of the module "notes" is defined twice',
  ],
  [
    'a metric that is no part of a URL',
    { metrics: [{ name: 'Happy clients' } as Metric] },
    'The metric "Happy clients" needs a name of letters and hyphens that no other metric has',
  ],
  [
    'an action of automations with the name of another module',
    { automationActions: [{ name: 'crm.add-tag' } as AutomationAction] },
    '"crm.add-tag" of the module "notes" needs a name of its own that begins with "notes."',
  ],
  [
    'a queue of another module',
    { jobs: [{ name: 'sweep', run: nothing }] },
    '"sweep" of the module "notes" must begin with "notes."',
  ],
  [
    'a subscriber of another module',
    { subscribers: [subscribe('crm', added, nothing)] },
    '"crm.on.crm.client-created" of the module "notes" must begin with "notes.on."',
  ],
  [
    'two subscribers to one event',
    { subscribers: [subscribe('notes', added, nothing), subscribe('notes', added, nothing)] },
    '"notes.on.crm.client-created" of the module "notes" is defined twice',
  ],
  [
    'a permission that is not declared',
    {
      nav: [
        { label: 'Notes', to: '/notes', icon: 'folder', section: 'main', order: 1, permission: 'notes:note:write' },
      ],
    },
    'The module "notes" uses the permission "notes:note:write", which it doesn\'t declare',
  ],
  [
    'a page that is defined twice',
    {
      routes: [
        { path: 'notes', file: 'routes/a.tsx' },
        { path: 'notes', file: 'routes/b.tsx' },
      ],
    },
    'The modules "notes" and "notes" both have the page "notes"',
  ],
])('rejects %s', (_name, fault, message) => {
  expect(validateManifests([{ ...sound, ...fault }])).toEqual([message])
})

test('rejects two modules with one id, and a dependency that comes later', () => {
  expect(validateManifests([sound, sound])).toEqual(['Two modules have the id "notes"'])
  expect(
    validateManifests([
      { ...sound, dependsOn: ['crm'] },
      { ...sound, id: 'crm', permissions: {} },
    ]),
  ).toHaveLength(1)
})
