import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [tailwindcss(), remix(options), fewFiles()],
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
