import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import routes from '#app/routes.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { modules, moduleEntities } from '#modules/registry.ts'
import { platformEntities } from '#tenants/schema.ts'
import { inflect, nameKeys, type Names } from './inflections.ts'
import { isReserved } from './reserved-words.ts'

const root = path.join(import.meta.dirname, '../..')
const templatesFolder = path.join(import.meta.dirname, 'templates')
const modulesFolder = path.join(root, 'modules')
const registryFile = path.join(modulesFolder, 'registry.ts')

/** Writes and registers the module `id`. Throws an AppError and changes nothing if the name can't be used. */
export function newModule(id: string): void {
  assertValidName(id)
  const names = inflect(id)
  assertAvailable(names)
  write(id, renderTemplates(names), addToRegistry(names, readFileSync(registryFile, 'utf8')))
}

function assertValidName(id: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(id) && id.length <= 40) return
  throw invalidName(
    `"${id}" can't be a module's name: use at most 40 of a-z, 0-9 and single hyphens between words, such as session-notes.`,
  )
}

/** First path segments that the server handles itself. */
const serverPaths = ['api', 'assets', 'dev', 'handoff', 'healthz', 'readyz']
/** Names that every module uses for its own parts. */
const moduleParts = ['operations', 'permissions', 'contributions', 'hooks', 'events', 'fields', 'records']

function assertAvailable({ id, singular, plural, table, Type }: Names): void {
  const reject = (reason: string): never => {
    throw invalidName(`"${id}" can't be the module's name: ${reason}. Choose another one.`)
  }
  if (existsSync(path.join(modulesFolder, id)) || modules.some((module) => module.id === id))
    reject(`modules/${id}/ already exists`)
  if (serverPaths.includes(id) || firstSegments(routes).includes(id)) reject(`the URL /${id} is taken`)
  if (createAppApi().operations.some((operation) => operation.path.split('/')[1] === id))
    reject(`the API's /api/${id} is taken`)
  if (moduleParts.includes(plural)) reject(`every module has ${plural} of its own`)
  const entities = [...platformEntities, ...moduleEntities].map(({ meta }) => meta)
  if (entities.some(({ tableName, className }) => tableName === table || className === Type))
    reject(`the table "${table}" already exists`)
  if (isReserved(table) || isReserved(singular))
    reject(`its table would be "${table}", a reserved word of SQL or TypeScript`)
}

type RouteEntries = { path?: string | undefined; children?: RouteEntries | undefined }[]

function firstSegments(entries: RouteEntries): string[] {
  return entries.flatMap((entry) => (entry.path ? [entry.path.split('/')[0]!] : firstSegments(entry.children ?? [])))
}

/** The module's files by their path in its folder. */
export function renderTemplates(names: Names): Map<string, string> {
  const files = readdirSync(templatesFolder, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => file.endsWith('.txt'))
      .map((file) => [
        targetPath(file, names),
        readFileSync(path.join(templatesFolder, file), 'utf8').replaceAll(/«([^»]+)»/g, (_match, key: string) =>
          getName(names, key),
        ),
      ]),
  )
}

const targetPath = (file: string, names: Names): string =>
  file
    .replace(/\.txt$/, '')
    .replace('_plural_', names['plural-kebab'])
    .replace('_singular_', names['singular-kebab'])
    .replace('_id_', names.id)

function getName(names: Names, key: string): string {
  const known = nameKeys.find((name) => name === key)
  if (!known) throw new Error(`A template uses «${key}», which is not defined.`)
  return names[known]
}

/** Adds the import in alphabetical order, and the module at the end of the list. */
function addToRegistry({ id }: Names, source: string): string {
  const name = id.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
  const imports = [...source.matchAll(/^import \w+ from '\.\/[\w-]+\/module\.ts'$/gm)].map(([line]) => line)
  const list = /^export const modules: ModuleManifest\[\] = \[[^\]]*(?=\])/m
  const newImport = `import ${name} from './${id}/module.ts'`
  const previous = imports.findLast((line) => importPath(line) < importPath(newImport))
  const next = imports[0]
  if (!next || !list.test(source)) throw invalidName('modules/registry.ts has no list of modules to add to.')
  const withImport = previous
    ? source.replace(previous, `${previous}\n${newImport}`)
    : source.replace(next, `${newImport}\n${next}`)
  return withImport.replace(list, (entries) =>
    entries.trimEnd().endsWith(',') ? `${entries.trimEnd()}\n  ${name},\n` : `${entries}, ${name}`,
  )
}

const importPath = (line: string): string => line.slice(line.indexOf("'"))

/** All or nothing: a temporary folder is renamed when it is complete, and removed if the registry can't be written. */
function write(id: string, files: Map<string, string>, registry: string): void {
  const folder = path.join(modulesFolder, id)
  const temporary = path.join(modulesFolder, `.${id}.${process.pid}`)
  const before = readFileSync(registryFile, 'utf8')
  try {
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(temporary, name)), { recursive: true })
      writeFileSync(path.join(temporary, name), text)
    }
    renameSync(temporary, folder)
    writeFileSync(registryFile, registry)
    format(folder, registryFile)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
    if (readFileSync(registryFile, 'utf8') !== before) writeFileSync(registryFile, before)
    throw invalidName(`modules/${id}/ can't be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Line breaks depend on the length of the names. */
function format(...paths: string[]): void {
  execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', ...paths], {
    cwd: root,
    stdio: 'pipe',
  })
}

const invalidName = (message: string): AppError => new AppError('validation_failed', message)
