import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [tailwindcss(), remix(options), fewFiles(), compressed()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  esbuild: { legalComments: 'none' },
  ssr: { target: 'node' },
})

/** What every page needs travels to the browser in two files, what forms need in a third: thirty small ones pack worse. */
function fewFiles(): Plugin {
  const frame = /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run)\//
  const kit = /app\/(nonce|shell\/(error-page|powered-by|wave|example)|ui\/(avatar|badge|icons|identity|layers|toast))\.tsx?$/
  const forms = /app\/ui\/(button|field|form|password-field|spinner|tabs)\.tsx?$/
  const chunkOf = (id: string) => (frame.test(id) ? 'frame' : kit.test(id) ? 'kit' : forms.test(id) ? 'forms' : undefined)
  return {
    name: 'few-files',
    outputOptions(output) {
      return this.environment.name === 'client' ? { ...output, manualChunks: chunkOf } : null
    },
  }
}

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
