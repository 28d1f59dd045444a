import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [moduleStyles(), tailwindcss(), remix(options), frameworkChunk(), compressAssets()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
  },
  esbuild: { legalComments: 'none' },
  // Bundle the icons: importing the package on the server would load all of them.
  ssr: { target: 'node', noExternal: ['lucide-react'] },
})

/** Appends the `styles.css` of each module to the style sheets that app.css imports. */
function moduleStyles(): Plugin {
  return {
    name: 'module-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/app\/styles\/app\.css(?!\?url)/.test(id)) return null
      const sheets = readdirSync('modules')
        .map((name) => `modules/${name}/styles.css`)
        .filter((file) => existsSync(file))
      return { code: [code, ...sheets.map((file) => `@import '../../${file}';`)].join('\n'), map: null }
    },
  }
}

/** Bundles the packages that every page needs: as one file they compress better. */
function frameworkChunk(): Plugin {
  const packages = /\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|turbo-stream|@remix-run)\//
  return {
    name: 'framework-chunk',
    outputOptions(output) {
      if (this.environment.name !== 'client') return null
      return { ...output, manualChunks: (id) => (packages.test(id) ? 'framework' : undefined) }
    },
  }
}

/** Writes a .gz and a .br file next to each script and style sheet, so that no request has to compress them. */
function compressAssets(): Plugin {
  let folder: string | undefined
  return {
    name: 'compress-assets',
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
