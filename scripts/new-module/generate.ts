import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import routes from '#app/routes.ts'
import { createAppApi } from '#app/server/process/runtime.ts'
import { modules, moduleEntities } from '#modules/registry.ts'
import { platformEntities } from '#tenants/schema.ts'
import { isReserved } from './reserved-words.ts'
import { wordNames, wordsOf, type Words } from './inflections.ts'

const templates = path.join(import.meta.dirname, 'templates')
const house = path.join(import.meta.dirname, '../../modules')
const registry = path.join(house, 'registry.ts')

/** Writes the module `name` and registers it, or throws a sentence and leaves everything as it was. */
export function newModule(name: string): void {
  refuseMalformed(name)
  const words = wordsOf(name)
  refuseTaken(words)
  write(words.id, filesOf(words), registered(words, readFileSync(registry, 'utf8')))
}

function refuseMalformed(name: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) && name.length <= 40) return
  throw refusal(
    `"${name}" can't be a module's name: use at most 40 of a-z, 0-9 and single hyphens between words, such as session-notes.`,
  )
}

/** What stands at the beginning of an address already, beside the pages: the server's own. */
const serverPaths = ['api', 'assets', 'dev', 'handover', 'healthz', 'readyz']

function refuseTaken({ id, singular, plural, table, Type }: Words): void {
  const say = (why: string): never => {
    throw refusal(`"${id}" can't be the module's name: ${why}. Choose another one.`)
  }
  if (existsSync(path.join(house, id)) || modules.some((module) => module.id === id))
    say(`modules/${id}/ is there already`)
  if (serverPaths.includes(id) || firstSegments(routes).includes(id)) say(`the address /${id} is taken`)
  if (createAppApi().operations.some((operation) => operation.path.split('/')[1] === id))
    say(`the calls /api/${id} are taken`)
  if (partsOfModules.includes(plural)) say(`every module has ${plural} of its own`)
  const known = [...platformEntities, ...moduleEntities].map(({ meta }) => meta)
  if (known.some(({ tableName, className }) => tableName === table || className === Type))
    say(`its table would be "${table}", which is there already`)
  if (isReserved(table) || isReserved(singular))
    say(`its table would be "${table}", which is a word of SQL or TypeScript`)
}

/** What a manifest calls its own parts by. */
const partsOfModules = ['operations', 'permissions', 'contributions']

type Entries = { path?: string | undefined; children?: Entries | undefined }[]

function firstSegments(entries: Entries): string[] {
  return entries.flatMap((entry) => (entry.path ? [entry.path.split('/')[0]!] : firstSegments(entry.children ?? [])))
}

/** The module's files, by their path in its folder. */
export function filesOf(words: Words): Map<string, string> {
  const names = readdirSync(templates, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
  return new Map(
    names.map((name) => {
      const target = name
        .replace(/\.txt$/, '')
        .replace('_plural_', words['plural-kebab'])
        .replace('_id_', words.id)
      return [
        target,
        readFileSync(path.join(templates, name), 'utf8').replaceAll(/«([^»]+)»/g, (_mark, word: string) =>
          valueOf(words, word),
        ),
      ]
    }),
  )
}

function valueOf(words: Words, word: string): string {
  const known = wordNames.find((name) => name === word)
  if (!known) throw new Error(`A template asks for «${word}», which is no word of a module.`)
  return words[known]
}

/** The registry with the module in it: its import among the others, its place at the end of the list. */
function registered({ id }: Words, source: string): string {
  const name = id.replaceAll(/-(.)/g, (_hyphen, letter: string) => letter.toUpperCase())
  const imports = [...source.matchAll(/^import \w+ from '\.\/[\w-]+\/module\.ts'$/gm)].map(([line]) => line)
  const list = /^export const modules: ModuleManifest\[\] = \[[^\]]*(?=\])/m
  const own = `import ${name} from './${id}/module.ts'`
  const before = imports.findLast((line) => pathOf(line) < pathOf(own)) ?? imports[0]
  if (!before || !list.test(source)) throw refusal('modules/registry.ts has no list of modules that could be added to.')
  const withImport = source.replace(before, pathOf(before) < pathOf(own) ? `${before}\n${own}` : `${own}\n${before}`)
  return withImport.replace(list, (found) =>
    found.trimEnd().endsWith(',') ? `${found.trimEnd()}\n  ${name},\n` : `${found}, ${name}`,
  )
}

const pathOf = (line: string): string => line.slice(line.indexOf("'"))

/** All or nothing: the folder appears complete, and goes again when the registry can't be written. */
function write(id: string, files: Map<string, string>, registryText: string): void {
  const folder = path.join(house, id)
  const half = path.join(house, `.${id}.${process.pid}`)
  try {
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(half, name)), { recursive: true })
      writeFileSync(path.join(half, name), text)
    }
    writeFileSync(path.join(half, '.registry'), registryText)
    renameSync(path.join(half, '.registry'), `${half}.registry`)
    renameSync(half, folder)
    try {
      renameSync(`${half}.registry`, registry)
    } catch (error) {
      rmSync(folder, { recursive: true })
      throw error
    }
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    rmSync(`${half}.registry`, { force: true })
    throw refusal(`modules/${id}/ can't be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function refusal(sentence: string): AppError {
  return new AppError('validation_failed', sentence)
}
