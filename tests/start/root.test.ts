import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { canReach } from '#db/embedded/data-dir.ts'
import { readIfExists } from '#db/embedded/processes.ts'
import { cleanEnvironment, createTempFolder, freePort, launch, root, waitUntilReady } from './support/process.ts'

const isRoot = process.getuid?.() === 0
const stranger = { uid: 65_534, gid: 65_534 }
const isReadable = isRoot && canReach(root, stranger) && canReach(process.execPath, stranger)

/** Starts the product as `npm start` does. */
async function start(dataDir: string, ...args: string[]) {
  const port = await freePort()
  const env = { ...cleanEnvironment(), PORT: String(port), DATA_DIR: dataDir }
  const running = launch(process.execPath, ['scripts/start.mjs', ...args], { port, env })
  await waitUntilReady(running)
  const tasks = `/proc/${running.child.pid}/task`
  const statuses = readdirSync(tasks).flatMap((id) => readIfExists(path.join(tasks, id, 'status')) ?? [])
  /** The words after `name` in any thread's status. */
  const collect = (name: string) =>
    new Set(statuses.flatMap((status) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)![1]!.trim().split(/\s+/)))
  const capabilities = new Set([...collect('CapPrm'), ...collect('CapEff'), ...collect('CapInh')])
  return { ...running, uids: new Set([...collect('Uid')].map(Number)), groups: collect('Groups'), capabilities }
}

async function stop({ child, exit, output }: Awaited<ReturnType<typeof start>>): Promise<void> {
  child.kill('SIGTERM')
  expect(await exit, output()).toBe(0)
}

describe.runIf(isRoot && process.platform === 'linux')('the product, started as root,', () => {
  test.runIf(isReadable)('serves as an unprivileged user, who owns nothing but DATA_DIR', async () => {
    const dataDir = createTempFolder()
    const first = await start(dataDir)
    const [uid] = first.uids
    expect([first.uids.size, uid === 0, first.groups.has('0')]).toEqual([1, false, false])
    expect([...first.capabilities].map((mask) => BigInt(`0x${mask}`))).toEqual([0n])
    expect(first.output()).not.toContain('runs as root')
    const { mode, uid: owner } = statSync(dataDir)
    expect([owner, mode & 0o777]).toEqual([uid, 0o700])
    for (const name of readdirSync(dataDir)) expect([name, statSync(path.join(dataDir, name)).uid]).toEqual([name, uid])
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    for (const name of ['scripts/serve.ts', 'build/server/index.js'])
      expect([name, statSync(path.join(root, name)).uid]).not.toEqual([name, uid])
    await stop(first)

    // Root's own commands may have left files of root.
    writeFileSync(path.join(dataDir, 'demo-modules.json'), '[]', { mode: 0o600 })
    // The serving user could leave a link, so that root gives away the file behind it.
    const precious = path.join(createTempFolder(), 'precious')
    writeFileSync(precious, 'of root')
    symlinkSync(precious, path.join(dataDir, 'begun-empty'))
    const second = await start(dataDir)
    expect([...second.uids]).toEqual([uid])
    expect(statSync(path.join(dataDir, 'demo-modules.json')).uid).toBe(uid)
    expect(statSync(precious).uid).toBe(0)
    await stop(second)
  })

  test('stays root, and says so, where another user could not work', async () => {
    const parent = createTempFolder()
    chmodSync(parent, 0o700)
    const dataDir = path.join(parent, 'data')
    const running = await start(dataDir, '--empty')
    expect([...running.uids]).toEqual([0])
    expect(running.output()).toMatch(/^The product runs as root, because another user can't (enter|read) .*\.$/m)
    await stop(running)
  })

  test('leaves a DATA_DIR alone that has files of something else', async () => {
    const dataDir = createTempFolder()
    mkdirSync(path.join(dataDir, 'photos'))
    const running = await start(dataDir, '--empty')
    expect([...running.uids]).toEqual([0])
    expect(statSync(dataDir).uid).toBe(0)
    expect(existsSync(path.join(dataDir, 'secret.key'))).toBe(true)
    await stop(running)
  })
})
