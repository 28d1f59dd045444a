import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bootstrap, type Build } from './bootstrap.ts'

const buildDir = path.join(path.dirname(import.meta.dirname), 'build')

// Set it before loading the build: React's development version is many times slower.
process.env.NODE_ENV ||= 'production'

await bootstrap(
  async () => {
    const build: Build = await import(pathToFileURL(path.join(buildDir, 'server/index.js')).href)
    return { runtime: build.entry.module.runtime, build, assets: path.join(buildDir, 'client') }
  },
  { replacesProcess: true },
)
