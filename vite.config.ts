import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import options from './remix.config.js'

export default defineConfig({
  plugins: [moduleStyles(), tailwindcss(), drawnIcons(), plainElements(), remix(options), fewFiles(), compressed()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  esbuild: { legalComments: 'none' },
  ssr: { target: 'node' },
})

/** The `styles.css` of each module comes after the style sheets that app.css imports. */
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

/** In the build an icon of lucide is one element (see app/ui/components/svg-icon.ts); while developing, lucide's own components show the same. */
function drawnIcons(): Plugin {
  return {
    name: 'drawn-icons',
    apply: 'build',
    enforce: 'pre',
    config: () => ({ ssr: { noExternal: ['lucide-react'] } }),
    resolveId: (source) =>
      /\/createLucideIcon\.mjs$/.test(source) ? path.resolve('app/ui/components/svg-icon.ts') : null,
    // The keys that lucide gives React are random letters: a fifth of what an icon weighs.
    transform: (code, id) =>
      /lucide-react\/dist\/esm\/icons\//.test(id) ? { code: code.replaceAll(/,\s*key: "\w+"/g, ''), map: null } : null,
  }
}

/** In the build the server's pages are made of elements that cost less (see app/server/fast-render/jsx-runtime.ts). */
function plainElements(): Plugin {
  return {
    name: 'plain-elements',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      return this.environment.name === 'ssr' && source === 'react/jsx-runtime'
        ? path.resolve('app/server/fast-render/jsx-runtime.ts')
        : null
    },
  }
}

/** What every page needs travels to the browser in two files, what forms need in a third, what the screens behind the sign-in need in three more: sixty small ones pack worse. */
function fewFiles(): Plugin {
  const files: [name: string, modules: RegExp][] = [
    ['frame', /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run)\//],
    [
      'kit',
      /app\/(nonce|lib\/should-revalidate|shell\/(error-page|powered-by)|marketing\/(waveform|landing-mockups)|ui\/(components\/(avatar|badge|icons|branding|modal-stack|toast)|navigation\/link))\.tsx?$|vite\/preload-helper/,
    ],
    [
      'forms',
      /app\/ui\/(components\/(button|spinner|tabs)|dnd\/mutation-queue|forms\/(field|form|password-field|offline-action|unsaved-changes))\.tsx?$/,
    ],
    // Those of the editor travel with it.
    [
      'icons',
      /lucide-react\/dist\/esm\/icons\/(?!bold|italic|underline|highlighter|heading)|app\/ui\/components\/svg-icon\.ts$/,
    ],
    [
      'records',
      /app\/(lib\/(markup|time|timezones|edit-conflict)|ui\/(components\/(confirm-dialog|dialog|load-error|not-found-dialog|pagination|progress|row-menu|table)|rich-text\/rich-text|forms\/(search-field|timezone-field|merge-conflict|unsaved-changes)))\.tsx?$/,
    ],
    [
      'shell',
      /app\/(shell\/(account-menu|nav-icons|search-box|shell|use-search)|ui\/components\/(menu|page))\.tsx?$|modules\/core\/slot\.tsx$/,
    ],
  ]
  const chunkOf = (id: string) => files.find(([, modules]) => modules.test(id))?.[0]
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
