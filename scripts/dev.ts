// Serves the sources: pages change in the browser when they are saved; changes to server code restart the server.
import { Server, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { createServer, type ViteDevServer } from 'vite'
import { bootstrap, type Build } from './bootstrap.ts'
import type { Shutdown } from './shutdown.ts'

const root = path.dirname(import.meta.dirname)
/** Vite updates these in the browser, so the server needs no restart. */
const pageFolders = /\/(routes|components|widgets|shell|ui|styles)\//

/** Vite scans pages with their loaders for packages to bundle for the browser; it can't bundle these. */
const serverOnlyPackages = [
  '@hono/node-server',
  '@mikro-orm/core',
  '@mikro-orm/migrations',
  '@mikro-orm/postgresql',
  '@node-rs/argon2',
  '@remix-run/node',
  'hono',
  'nodemailer',
  'pg',
  'pg-boss',
  'pino',
  'remix-auth',
  'remix-auth-form',
]

// This server never listens. Vite's websocket attaches to it, so that it survives restarts of the product's server.
const hmrServer = new Server()
const hmrSockets = new Set<Duplex>()
let vite: ViteDevServer | undefined

const { restart } = await bootstrap(async (shutdown) => {
  vite ??= await startVite(shutdown)
  const build = await loadBuild(vite)
  return { runtime: build.entry.module.runtime, build: () => loadBuild(vite!), wrapServer: addVite }
})

let debounce: NodeJS.Timeout | undefined
let restarting = Promise.resolve()
vite!.watcher.on('change', (file) => {
  if (!needsRestart(file)) return
  clearTimeout(debounce)
  debounce = setTimeout(() => (restarting = restarting.then(reload)), 100)
})

function needsRestart(file: string): boolean {
  const name = file.slice(root.length)
  const isServerSource = /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !pageFolders.test(name)
  return isServerSource && vite!.moduleGraph.getModulesByFile(file) !== undefined
}

async function reload(): Promise<void> {
  console.log('Server code changed: restarting …')
  vite!.moduleGraph.invalidateAll()
  try {
    await restart()
  } catch (error) {
    if (error instanceof Error) vite!.ssrFixStacktrace(error)
    console.error(error)
  }
}

async function startVite(shutdown: Shutdown): Promise<ViteDevServer> {
  const ownListeners = process.listeners('SIGTERM')
  const server = await createServer({
    root,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: hmrServer },
      // The embedded database writes below the root all the time.
      watch: { ignored: ['**/.data*/**', '**/.cache/**', '**/build/**', '**/test-results/**', '**/*.test.ts'] },
    },
    optimizeDeps: { exclude: serverOnlyPackages },
  })
  // Remix's plugin starts another Vite server, outside middleware mode, which would exit the process on SIGTERM before
  // the database has stopped. Its options can't be changed, so remove its listener.
  for (const listener of process.listeners('SIGTERM'))
    if (!ownListeners.includes(listener)) process.off('SIGTERM', listener)
  shutdown.onClose(() => server.close())
  return server
}

async function loadBuild(from: ViteDevServer): Promise<Build> {
  return (await from.ssrLoadModule('virtual:remix/server-build')) as Build
}

/** Puts Vite's middleware before the product's handler, and forwards Vite's websocket. */
function addVite(server: Server): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    vite!.middlewares(request, response, () =>
      listeners.forEach((listener) => listener.call(server, request, response)),
    )
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    hmrSockets.add(socket)
    socket.once('close', () => hmrSockets.delete(socket))
    hmrServer.emit('upgrade', request, socket, head)
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    // Open websockets would keep the server from closing; the browser reconnects.
    for (const socket of hmrSockets) socket.destroy()
    return close(done)
  }
}
