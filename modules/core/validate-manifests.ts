import { isForClients } from '#tenants/context.ts'
import type { ModuleManifest } from './manifest.ts'

/** The problems of the list of modules, one sentence each. The registry throws the first. */
export function validateManifests(modules: ModuleManifest[]): string[] {
  return [
    ...modules.flatMap((module, index) => [
      ...validateName(module, modules.slice(0, index)),
      ...validatePrefixes(module),
      ...validatePermissions(module),
    ]),
    ...validatePages(modules),
    ...(modules.filter(({ prospects }) => prospects).length > 1 ? ['Two modules have prospects'] : []),
    ...(modules.filter(({ onlineSales }) => onlineSales).length > 1 ? ['Two modules have online sales'] : []),
    ...(modules.filter(({ sessionTasks }) => sessionTasks).length > 1 ? ['Two modules have tasks of sessions'] : []),
    ...(modules.filter(({ fileSharing }) => fileSharing).length > 1 ? ['Two modules share files'] : []),
    ...(modules.filter(({ clientSignIn }) => clientSignIn).length > 1 ? ['Two modules sign clients in'] : []),
    ...validateMetrics(modules),
    ...modules.flatMap(validateAutomations),
    ...modules.flatMap(validateNotifications),
  ]
}

function validateName({ id, dependsOn = [] }: ModuleManifest, earlier: ModuleManifest[]): string[] {
  const isKnown = (name: string) => earlier.some((module) => module.id === name)
  return [
    ...(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)
      ? []
      : [`The module "${id}" needs an id of a-z, 0-9 and hyphens, the name of its folder`]),
    ...(isKnown(id) ? [`Two modules have the id "${id}"`] : []),
    ...dependsOn
      .filter((needed) => !isKnown(needed))
      .map((needed) => `The module "${id}" depends on "${needed}", which is not before it in modules/registry.ts`),
  ]
}

/**
 * Permissions, migrations and queues share a namespace: each begins with its module's id, and those of clients in the
 * portal with `client:`.
 */
function validatePrefixes({ id, permissions, migrations, jobs = [], subscribers = [] }: ModuleManifest): string[] {
  const names = [
    ...Object.keys(permissions).map((name) => ({
      name,
      begin: isForClients(name) ? 'client:' : `${id}:`,
    })),
    ...migrations.map(({ name }) => ({ name, begin: `${id}/` })),
    ...jobs.map(({ name }) => ({ name, begin: `${id}.` })),
    ...subscribers.map(({ name }) => ({ name, begin: `${id}.on.` })),
  ]
  const duplicates = names.filter(({ name }, index) => names.findIndex((other) => other.name === name) !== index)
  return [
    ...names
      .filter(({ name, begin }) => !name.startsWith(begin))
      .map(({ name, begin }) => `"${name}" of the module "${id}" must begin with "${begin}"`),
    ...duplicates.map(({ name }) => `"${name}" of the module "${id}" is defined twice`),
  ]
}

function validatePermissions({ id, permissions, nav = [], search = [], contributions = [] }: ModuleManifest): string[] {
  const used = [...nav, ...search, ...contributions].flatMap(({ permission }) => permission ?? [])
  return used
    .filter((name) => !(name in permissions))
    .map((name) => `The module "${id}" uses the permission "${name}", which it doesn't declare`)
}

function validatePages(modules: ModuleManifest[]): string[] {
  const pages = modules.flatMap(({ id, routes = [] }) => routes.map(({ path }) => ({ id, path })))
  return pages.flatMap(({ id, path }, index) => {
    const first = pages.findIndex((page) => page.path === path)
    return first === index ? [] : [`The modules "${pages[first]!.id}" and "${id}" both have the page "${path}"`]
  })
}

function validateMetrics(modules: ModuleManifest[]): string[] {
  const names = modules.flatMap(({ metrics = [] }) => metrics.map(({ name }) => name))
  return names
    .filter((name, index) => names.indexOf(name) !== index || !/^[a-z]+(-[a-z]+)*$/.test(name))
    .map((name) => `The metric "${name}" needs a name of letters and hyphens that no other metric has`)
}

function validateAutomations({ id, automationTriggers = [], automationActions = [] }: ModuleManifest): string[] {
  return [automationTriggers, automationActions].flatMap((parts) =>
    parts
      .map(({ name }) => name)
      .filter((name, index, names) => names.indexOf(name) !== index || !isPartName(id, name))
      .map((name) => `"${name}" of the module "${id}" needs a name of its own that begins with "${id}."`),
  )
}

function validateNotifications({ id, notifications = [] }: ModuleManifest): string[] {
  const kinds = notifications.map(({ kind }) => kind)
  return kinds
    .filter((kind, index) => kinds.indexOf(kind) !== index || !isPartName(id, kind))
    .map((kind) => `The notification "${kind}" of the module "${id}" needs a kind of its own that begins with "${id}."`)
}

const isPartName = (module: string, name: string): boolean =>
  name.startsWith(`${module}.`) && /^[a-z]+(-[a-z]+)*$/.test(name.slice(module.length + 1))
