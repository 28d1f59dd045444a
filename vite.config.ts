import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [tailwindcss(), remix(options), compressed()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  ssr: { target: 'node' },
})

/** Beside each script and style sheet its smaller forms, so that no request waits for them. */
function compressed(): Plugin {
  let folder: string | undefined
  return {
    name: 'compressed-assets',
    apply: 'build',
    configResolved({ build }) {
      folder = build.ssr ? undefined : path.join(build.outDir, 'assets')
    },
    closeBundle() {
      if (!folder) return
      for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const file = path.join(folder, name)
        const content = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      }
    },
  }
}
