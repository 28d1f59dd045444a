import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { createTemplateDatabase, skipFsync } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    ownerUrl: string
  }
}

/** One Postgres for the whole run, with a migrated database that every test file gets a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = chooseFolder()
  const postgres = await startEmbedded({ dir })
  await skipFsync(postgres.ownerUrl)
  await createTemplateDatabase(postgres.ownerUrl)
  project.provide('ownerUrl', postgres.ownerUrl)
  return async () => {
    await postgres.stop()
    // Each project of a run is set up by itself: the last one stops the server.
    const runs = existsSync(path.join(dir, 'data/postmaster.pid'))
    if (dir.startsWith(memory) && !runs) await rm(dir, { recursive: true, force: true })
  }
}

/** Linux keeps these files in memory. */
const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * In memory if there is room: copying a database takes two thirds of the time there. With TEST_DATABASES=disk in the
 * checkout, which the tests of copies delete with all that a killed run has left in it.
 */
function chooseFolder(): string {
  const onDisk = path.resolve('.cache/test-pg')
  if (process.env.TEST_DATABASES === 'disk' || !hasMemory()) return onDisk
  const name = createHash('sha256').update(onDisk).digest('hex').slice(0, 12)
  return path.join(memory, `practice-test-pg-${name}`)
}

function hasMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory()) > neededBytes
  } catch {
    return false
  }
}
