import type { ModuleManifest } from './manifest.ts'

/** What is wrong with the list of modules, one sentence each: the registry refuses to start with any of them. */
export function problemsOf(modules: ModuleManifest[]): string[] {
  return [
    ...modules.flatMap((module, at) => [
      ...ofName(module, modules.slice(0, at)),
      ...ofPrefixes(module),
      ...ofPermissions(module),
    ]),
    ...ofPages(modules),
  ]
}

function ofName({ id, dependsOn = [] }: ModuleManifest, earlier: ModuleManifest[]): string[] {
  const isKnown = (name: string) => earlier.some((module) => module.id === name)
  return [
    ...(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)
      ? []
      : [`The module "${id}" needs an id of a-z, 0-9 and hyphens, the name of its folder`]),
    ...(isKnown(id) ? [`Two modules are called "${id}"`] : []),
    ...dependsOn
      .filter((needed) => !isKnown(needed))
      .map(
        (needed) => `The module "${id}" needs the module "${needed}", which is not before it in modules/registry.ts`,
      ),
  ]
}

/** Names of all modules share the database, the queues and the roles: each begins with its module's. */
function ofPrefixes({ id, permissions, migrations, jobs = [], subscribers = [] }: ModuleManifest): string[] {
  const names = [
    ...Object.keys(permissions).map((name) => ({ name, begin: `${id}:` })),
    ...migrations.map(({ name }) => ({ name, begin: `${id}/` })),
    ...jobs.map(({ name }) => ({ name, begin: `${id}.` })),
    ...subscribers.map(({ name }) => ({ name, begin: `${id}.on.` })),
  ]
  const twice = names.filter(({ name }, at) => names.findIndex((other) => other.name === name) !== at)
  return [
    ...names
      .filter(({ name, begin }) => !name.startsWith(begin))
      .map(({ name, begin }) => `"${name}" of the module "${id}" has to begin with "${begin}"`),
    ...twice.map(({ name }) => `"${name}" of the module "${id}" is there twice`),
  ]
}

function ofPermissions({ id, permissions, nav = [], search = [], contributions = [] }: ModuleManifest): string[] {
  const asked = [...nav, ...search, ...contributions].flatMap(({ permission }) => permission ?? [])
  return asked
    .filter((name) => !(name in permissions))
    .map((name) => `The module "${id}" asks for the permission "${name}", which it doesn't explain`)
}

function ofPages(modules: ModuleManifest[]): string[] {
  const pages = modules.flatMap(({ id, routes = [] }) => routes.map(({ path }) => ({ id, path })))
  return pages.flatMap(({ id, path }, at) => {
    const first = pages.findIndex((page) => page.path === path)
    return first === at ? [] : [`The modules "${pages[first]!.id}" and "${id}" both have the page "${path}"`]
  })
}
