import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [tailwindcss(), remix(options)],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  ssr: { target: 'node' },
})
