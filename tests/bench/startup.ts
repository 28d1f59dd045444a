import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import { answers, environment } from './servers.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Seconds from `npm start` to the first page, on this folder and with its data there: started once before. */
export async function warmStart({ port, scratch }: { port: number; scratch: string }): Promise<number> {
  const DATA_DIR = path.join(scratch, 'warm')
  await timedStart({ folder: root, port, scratch, DATA_DIR })
  return timedStart({ folder: root, port, scratch, DATA_DIR })
}

/** As `warmStart`, of a fresh clone of what is committed, with nothing installed: npm's own cache apart. */
export async function coldStart({ port, scratch }: { port: number; scratch: string }): Promise<number> {
  const folder = path.join(scratch, 'clone')
  rmSync(folder, { recursive: true, force: true })
  const cloned = spawnSync('git', ['clone', '--quiet', root, folder], { encoding: 'utf8' })
  if (cloned.status !== 0) throw new Error(`git clone: ${cloned.stderr}`)
  try {
    return await timedStart({ folder, port, scratch, DATA_DIR: path.join(folder, '.data') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timedStart({
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
  const began = performance.now()
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', out, out] })
  closeSync(out)
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`npm start ended with ${code}; see ${path.join(scratch, 'start.log')}`)
  })
  await Promise.race([answers(port, '/', { patience: 300_000 }), gone])
  const seconds = (performance.now() - began) / 1000
  child.kill('SIGTERM')
  await gone.catch(() => undefined)
  return seconds
}
