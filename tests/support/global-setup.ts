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
  const postgres = await startEmbedded({ dir: path.resolve('.cache/test-pg') })
  await skipFsync(postgres.ownerUrl)
  await createTemplateDatabase(postgres.ownerUrl)
  project.provide('ownerUrl', postgres.ownerUrl)
  return () => postgres.stop()
}
