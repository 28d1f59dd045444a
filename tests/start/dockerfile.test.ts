import { execFileSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import {
  copyCheckout,
  createTempFolder,
  waitUntilReady,
  freePort,
  launch,
  cleanEnvironment,
  getStatus,
} from './support/process.ts'

/** The Node of package.json, by digest. */
const nodeImage = new RegExp(`^NODE_IMAGE=node:${packageJson.dependencies.node}-bookworm-slim@sha256:[0-9a-f]{64}$`)

/**
 * Runs the Dockerfile's steps as Docker would, with a folder for each stage, as an unprivileged user: a file that
 * `COPY` leaves out is missing here too, and root-only operations fail.
 */
test('the Dockerfile builds and runs the product as an unprivileged user', { timeout: 600_000 }, async () => {
  const world = createTempFolder()
  const context = path.join(world, 'context')
  copyCheckout(context)
  const user = unprivilegedUser()
  const cache = path.join(world, 'npm-cache')
  mkdirSync(cache)
  changeOwner(cache, user)
  const stages: Stage[] = []

  for (const { instruction, rest } of parseDockerfile(readFileSync(path.join(context, 'Dockerfile'), 'utf8'))) {
    const stage = stages.at(-1)
    if (instruction === 'ARG') expect(rest).toMatch(nodeImage)
    else if (instruction === 'FROM') {
      const [, from, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest)!
      const base = stages.find((known) => known.name === from)
      stages.push(newStage(world, name ?? 'last', base, user))
    } else if (!stage) throw new Error(`${instruction} before FROM`)
    else if (instruction === 'USER') stage.user = rest
    else if (instruction === 'WORKDIR') setWorkdir(stage, rest)
    else if (instruction === 'ENV') for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[key!] = value!
    else if (instruction === 'COPY') copy(stage, rest, context, stages, user)
    else if (instruction === 'RUN') await run(stage, rest, user)
    else if (instruction === 'CMD') stage.command = JSON.parse(rest)
    else if (instruction === 'HEALTHCHECK') stage.health = JSON.parse(rest.slice(rest.indexOf('CMD') + 3))
    else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(instruction))
      throw new Error(`This walk knows no ${instruction}`)
  }

  const product = stages.at(-1)!
  expect(stages.length).toBeGreaterThan(1)
  expect(product.user).not.toMatch(/^(root|0|)$/)
  expect(product.command!.join(' ')).toBe(/^exec (.*)$/.exec(packageJson.scripts.start)![1])
  expect(product.env.HOST).toBe('0.0.0.0')
  expect(existsSync(inStage(product, path.join(product.workdir, 'tests')))).toBe(false)

  // Unless the test runs as the only user.
  if (user.uid !== undefined)
    for (const file of ['package.json', 'build/server/index.js', 'node_modules/pg/package.json', 'new.js']) {
      const overwrite = ['-e', `require('node:fs').writeFileSync('${file}', '')`]
      const writing = exec(product, [process.execPath, ...overwrite], user)
      expect([file, await writing.exit, writing.output()]).toEqual([file, 1, expect.stringContaining('EACCES')])
    }

  const port = await freePort()
  const running = exec(product, product.command!, user, { PORT: String(port) })
  await waitUntilReady({ ...running, port })
  expect(running.output()).not.toMatch(/Installing|Building|@example\.com/)
  expect(await getStatus(port, '/')).toBe(200)
  expect(await exec(product, product.health!, user, { PORT: String(port) }).exit).toBe(0)

  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  expect(await exec(product, product.health!, user, { PORT: String(port) }).exit).toBe(1)
})

type User = { uid: number; gid: number } | Record<string, never>
type Stage = {
  name: string
  root: string
  user: string
  workdir: string
  env: Record<string, string>
  command?: string[]
  health?: string[]
}

/** Returns the instructions in order, with continued lines joined and comments removed. */
function parseDockerfile(text: string): { instruction: string; rest: string }[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
  return lines.map((line) => {
    const [, instruction, rest] = /^\s*(\w+)\s+(.*)$/.exec(line)!
    return { instruction: instruction!.toUpperCase(), rest: rest!.trim() }
  })
}

function newStage(world: string, name: string, base: Stage | undefined, user: User): Stage {
  const root = path.join(world, `stage-${name}`)
  if (base) linkFolder(base.root, root)
  // The official image has a home folder for the user "node".
  else mkdirSync(path.join(root, 'home/node'), { recursive: true })
  changeOwner(root, user)
  return { name, root, user: base?.user ?? 'root', workdir: base?.workdir ?? '/', env: { ...base?.env } }
}

/** A missing folder belongs to root, as in Docker. */
function setWorkdir(stage: Stage, workdir: string): void {
  stage.workdir = workdir
  mkdirSync(inStage(stage, workdir), { recursive: true })
}

function copy(stage: Stage, rest: string, context: string, stages: Stage[], user: User): void {
  const words = rest.split(/\s+/)
  const flags = words.filter((word) => word.startsWith('--'))
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = inStage(stage, path.resolve(stage.workdir, paths.pop()!))
  const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length)
  const source = stages.find((known) => known.name === from)
  if (from && !source) throw new Error(`There is no stage ${from}`)
  for (const copied of paths) {
    const what = source ? inStage(source, copied) : path.join(context, copied)
    if (source && statSync(what).isDirectory()) linkFolder(what, target)
    else if (statSync(what).isDirectory())
      cpSync(what, target, { recursive: true, verbatimSymlinks: true, filter: isNotIgnored(context) })
    else {
      mkdirSync(target, { recursive: true })
      copyFileSync(what, path.join(target, path.basename(copied)))
    }
  }
  // Without --chown the files belong to root, as in Docker.
  const isRoot = process.getuid?.() === 0
  if (isRoot) changeOwner(target, flags.some((flag) => flag.startsWith('--chown=')) ? user : { uid: 0, gid: 0 })
}

/** Copies a stage's folder. Its files are linked, because no later step writes into one. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('cp', ['-al', `${from}/.`, to])
}

/** Supports the patterns that our .dockerignore uses: a path, or `**` before a name. */
function isNotIgnored(context: string): (file: string) => boolean {
  const patterns = readFileSync(path.join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  return (file) => {
    const name = path.relative(context, file)
    return !patterns.some((pattern) => path.matchesGlob(name, pattern))
  }
}

async function run(stage: Stage, command: string, user: User): Promise<void> {
  const done = exec(stage, ['sh', '-c', command.replaceAll('/home/node', inStage(stage, '/home/node'))], user)
  expect(await done.exit, `${command}\n${done.output()}`).toBe(0)
}

function exec(stage: Stage, command: string[], user: User, env: Record<string, string> = {}) {
  const own = Object.fromEntries(
    Object.entries(stage.env).map(([key, value]) => [key, value.startsWith('/home/') ? inStage(stage, value) : value]),
  )
  return launch(command[0]!, command.slice(1), {
    ...user,
    cwd: inStage(stage, stage.workdir),
    env: {
      ...cleanEnvironment(),
      NODE_ENV: 'development',
      HOME: inStage(stage, '/home/node'),
      // One cache for all stages: what one has downloaded the next need not.
      npm_config_cache: path.join(path.dirname(stage.root), 'npm-cache'),
      ...own,
      ...env,
    },
  })
}

const inStage = (stage: Stage, file: string): string => path.join(stage.root, file)

/** Returns a user other than root: the current one, if it is not root. */
function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = users.find(([name]) => name === 'nobody') ?? users.find((user) => Number(user[2]) > 0)
  if (!found) throw new Error('There is no user but root')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

function changeOwner(folder: string, user: User): void {
  if (user.uid === undefined) return
  chownSync(folder, user.uid, user.gid)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(path.join(folder, name), user.uid, user.gid)
}
