import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { begin, type Build } from './bootstrap.ts'

const built = path.join(path.dirname(import.meta.dirname), 'build')

// Before the build is loaded: React would choose its development half, which is many times slower.
process.env.NODE_ENV ||= 'production'

await begin(async () => {
  const build: Build = await import(pathToFileURL(path.join(built, 'server/index.js')).href)
  return { kernel: build.entry.module.kernel, build, assets: path.join(built, 'client') }
})
