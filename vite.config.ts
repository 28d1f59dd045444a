import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vitePlugin as remix } from '@remix-run/dev'
import { minify } from '@swc/core'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rollup } from 'vite'
import options from './remix.config.js'

/**
 * Packages of many small files: loading them one by one would be a tenth of a start. While developing it is faster than
 * having Vite compile them.
 */
const bundledPackages = [
  /^@(conform-to|dnd-kit|mikro-orm)\//,
  '@hono/node-server',
  '@opentelemetry/api',
  'cron-parser',
  'csv-parse',
  'csv-stringify',
  'hono',
  'kysely',
  'lucide-react',
  'luxon',
  'nodemailer',
  'non-error',
  'pg-boss',
  'pg-cursor',
  'postgres-array',
  'postgres-date',
  'postgres-interval',
  'rrule-temporal',
  'serialize-error',
  'zod',
]

export default defineConfig(({ command }) => ({
  plugins: [moduleStyles(), tailwindcss(), remix(options), sharedChunks(), minifyScripts(), compressAssets()],
  build: {
    target: 'es2022',
    minify: false,
    cssMinify: 'esbuild',
    modulePreload: {
      polyfill: false,
      // Every page loads the list of widgets. The scripts that each one imports, by name, would be most of it: they load
      // with the widget instead.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        dependencies.filter((name) => hostType === 'html' || name.endsWith('.css')),
    },
    assetsInlineLimit: 0,
  },
  esbuild: { legalComments: 'none' },
  ssr: { target: 'node', noExternal: command === 'build' ? bundledPackages : [] },
}))

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

/**
 * Combines modules that the same pages need, because many small files compress badly: the packages of the framework,
 * buttons and fields, what the root route imports, and what the shell or at least twelve pages behind the sign-in
 * import. Modules that only the public pages share with them stay apart, so that the public pages load nothing else.
 */
function sharedChunks(): Plugin {
  const framework =
    /commonjsHelpers|\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|turbo-stream|@remix-run)\//
  const controls =
    /\/app\/ui\/(components\/(button|spinner)|forms\/(field|dirty-forms|form-client-action|use-prehydration-value))\.tsx?$/
  const getChunk: Rollup.GetManualChunk = (id, { getModuleInfo }) => {
    if (framework.test(id)) return 'framework'
    if (controls.test(id)) return 'controls'
    const importers = listImporters(id, getModuleInfo)
    const isImportedBy = (pattern: RegExp) => importers.some((importer) => pattern.test(importer))
    if (isImportedBy(/\/app\/root\.tsx$/)) return 'root'
    if (isImportedBy(/\/app\/(entry\.client|routes\/(home|auth))/)) return undefined
    const pages = importers.filter((importer) => importer.endsWith('?__remix-build-client-route'))
    return pages.length >= 12 || isImportedBy(/\/app\/shell\/layout\.tsx$/) ? 'shared' : undefined
  }
  return {
    name: 'shared-chunks',
    outputOptions(output) {
      if (this.environment.name !== 'client') return null
      return { ...output, onlyExplicitManualChunks: true, manualChunks: getChunk }
    },
  }
}

/** The modules that import a module, directly or not. */
function listImporters(id: string, getModuleInfo: Rollup.GetModuleInfo): string[] {
  const found = new Set([id])
  for (const module of found) for (const importer of getModuleInfo(module)?.importers ?? []) found.add(importer)
  found.delete(id)
  return [...found]
}

/** Minifies the browser's scripts: as small as Terser's, in less than a second instead of half a minute. */
function minifyScripts(): Plugin {
  return {
    name: 'minify-scripts',
    apply: 'build',
    renderChunk: {
      // Vite's own steps print the code once more.
      order: 'post',
      async handler(code) {
        if (this.environment.name !== 'client') return null
        const minified = await minify(code, {
          module: true,
          ecma: 2020,
          // The second pass removes what the first one made superfluous.
          compress: { passes: 2 },
          mangle: { toplevel: true },
          format: { comments: false },
        })
        return { code: minified.code, map: null }
      },
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
