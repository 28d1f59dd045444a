// The product from its sources: pages change in the browser as they are saved, the server starts over when its own code changes.
import { Server, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { createServer, type ViteDevServer } from 'vite'
import { begin, type Build } from './bootstrap.ts'
import type { Lifetime } from './shutdown.ts'

const root = path.dirname(import.meta.dirname)
const pages = /\/(routes|components|widgets|shell|ui|styles)\//

// Vite looks for the browser's packages in whole pages, loaders included, and would bundle these.
const serverOnly = [
  '@hono/node-server',
  '@hono/zod-openapi',
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

// Never listens: it hands the browser's connection for updates on to Vite, whichever server took it.
const updates = new Server()
const connections = new Set<Duplex>()
let vite: ViteDevServer | undefined

const { again } = await begin(async (life) => {
  vite ??= await startVite(life)
  const build = await loadBuild(vite)
  return { kernel: build.entry.module.kernel, build: () => loadBuild(vite!), around }
})

let soon: NodeJS.Timeout | undefined
let work = Promise.resolve()
vite!.watcher.on('change', (file) => {
  const name = file.slice(root.length)
  if (
    !/\.tsx?$/.test(name) ||
    /\.test\.tsx?$/.test(name) ||
    pages.test(name) ||
    !vite!.moduleGraph.getModulesByFile(file)
  )
    return
  clearTimeout(soon)
  soon = setTimeout(() => (work = work.then(startOver)), 100)
})

async function startVite(life: Lifetime): Promise<ViteDevServer> {
  const others = process.listeners('SIGTERM')
  const server = await createServer({
    root,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: updates },
      // The database writes beneath the root all the time.
      watch: { ignored: ['**/.data*/**', '**/.cache/**', '**/build/**', '**/test-results/**', '**/*.test.ts'] },
    },
    optimizeDeps: { exclude: serverOnly },
  })
  // Remix' plugin opens a second Vite, which would end the process at once, and leave the database without it.
  for (const listener of process.listeners('SIGTERM')) if (!others.includes(listener)) process.off('SIGTERM', listener)
  life.onEnd(() => server.close())
  return server
}

async function loadBuild(from: ViteDevServer): Promise<Build> {
  return (await from.ssrLoadModule('virtual:remix/server-build')) as Build
}

function around(server: Server): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    vite!.middlewares(request, response, () =>
      listeners.forEach((listener) => listener.call(server, request, response)),
    )
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    updates.emit('upgrade', request, socket, head)
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    // They would hold up the end. The browser connects again by itself, and reloads.
    for (const socket of connections) socket.destroy()
    return close(done)
  }
}

async function startOver(): Promise<void> {
  console.log('The server starts over with its new code.')
  vite!.moduleGraph.invalidateAll()
  try {
    await again()
  } catch (error) {
    if (error instanceof Error) vite!.ssrFixStacktrace(error)
    console.error(error)
  }
}
