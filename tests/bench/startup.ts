import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Runtime } from '#app/server/process/runtime.ts'
import { waitUntilReady, environment } from './servers.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The built product. */
export async function loadRuntime(): Promise<Runtime> {
  const build: { entry: { module: { runtime: Runtime } } } = await import(
    pathToFileURL(path.join(root, 'build/server/index.js')).href
  )
  return build.entry.module.runtime
}

/** Seconds from `npm start` to the first page, in this folder, for the second start. */
export async function measureWarmStart({ port, scratch }: { port: number; scratch: string }): Promise<number> {
  const DATA_DIR = path.join(scratch, 'warm')
  await timeStart({ folder: root, port, scratch, DATA_DIR })
  return timeStart({ folder: root, port, scratch, DATA_DIR })
}

/** Seconds from `npm start` to the first page in a fresh clone of HEAD. npm's cache may be warm. */
export async function measureColdStart({ port, scratch }: { port: number; scratch: string }): Promise<number> {
  const folder = path.join(scratch, 'clone')
  rmSync(folder, { recursive: true, force: true })
  const clone = spawnSync('git', ['clone', '--quiet', root, folder], { encoding: 'utf8' })
  if (clone.status !== 0) throw new Error(`git clone: ${clone.stderr}`)
  try {
    return await timeStart({ folder, port, scratch, DATA_DIR: path.join(folder, '.data') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timeStart({
  folder,
  port,
  scratch,
  DATA_DIR,
}: {
  folder: string
  port: number
  scratch: string
  DATA_DIR: string
}): Promise<number> {
  const out = openSync(path.join(scratch, 'start.log'), 'w')
  const env = environment({ PORT: String(port), DATA_DIR })
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', out, out] })
  closeSync(out)
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`npm start exited with ${code}; see ${path.join(scratch, 'start.log')}`)
  })
  await Promise.race([waitUntilReady(port, '/', { timeout: 300_000 }), exited])
  const seconds = (performance.now() - startedAt) / 1000
  child.kill('SIGTERM')
  await exited.catch(() => undefined)
  return seconds
}
