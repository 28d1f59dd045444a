import { existsSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import type { Runtime, RunningServer } from '#app/server/process/runtime.ts'
import { testConfig } from './config.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: ServerBuild['entry']['module'] & { runtime: Runtime } } }
export type PageResponse = { status: number; text: string; content: Buffer; headers: IncomingHttpHeaders; ms: number }
export type BuiltApp = {
  port: number
  /** Every route of the build: its id, its pattern ('/clients/:id'), whether it has an action and a page. */
  routes: { id: string; path: string; acts: boolean; page: boolean }[]
  request(
    target: string,
    options?: {
      host?: string
      cookie?: string
      form?: Record<string, string>
      /** A body that is posted as it is. */
      body?: string
      headers?: Record<string, string>
    },
  ): Promise<PageResponse>
  close(): Promise<void>
}

/**
 * The built product on a port of its own, with the database of `appUrl`. `fastRender: false`: Remix renders every page.
 * `onRoot` is called when a page runs the root loader, once for each page.
 */
export async function serveBuild(
  appUrl: string,
  {
    fastRender = process.env.FAST_RENDER !== 'off',
    now = () => new Date(),
    onRoot: onRootLoader = () => {},
    env = {} as Record<string, string>,
  } = {},
): Promise<BuiltApp> {
  const file = path.join(root, 'build/server/index.js')
  if (!existsSync(file)) throw new Error('This test is for the built product: run `npm run build` first.')
  const build = watchRootLoader(await import(/* @vite-ignore */ pathToFileURL(file).href), onRootLoader)
  const port = await freePort()
  const serving: RunningServer = await build.entry.module.runtime.serve({
    appUrl,
    config: testConfig({
      PORT: String(port),
      RATE_LIMIT_FACTOR: '1000',
      FAST_RENDER: fastRender ? 'on' : 'off',
      ...env,
    }),
    now,
    build,
    assets: path.join(root, 'build/client'),
  })
  return {
    port,
    routes: listRoutes(build),
    request: (target, options = {}) => ask(port, target, options),
    close: () => serving.close(),
  }
}

function watchRootLoader(build: Build, onRoot: () => void): Build {
  const { root } = build.routes
  const { loader, ...module } = root!.module
  const told: typeof loader = (args) => {
    onRoot()
    return loader!(args)
  }
  return { ...build, routes: { ...build.routes, root: { ...root!, module: { ...module, loader: told } } } }
}

function listRoutes({ routes }: Build): BuiltApp['routes'] {
  const all = Object.values(routes).filter((route) => route !== undefined)
  const getPath = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [getPath(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  return all
    .filter((route) => route.path !== undefined || route.index)
    .map((route) => ({
      id: route.id,
      path: `/${getPath(route.id)}`,
      acts: route.module.action !== undefined,
      page: route.module.default !== undefined,
    }))
}

/** Requests localhost with any Host header. */
function ask(
  port: number,
  target: string,
  { host = `localhost:${port}`, cookie, form, body: raw, headers = {} }: Parameters<BuiltApp['request']>[1] & object,
): Promise<PageResponse> {
  const body = raw ?? (form && new URLSearchParams(form).toString())
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path: target,
        method: body === undefined ? 'GET' : 'POST',
        agent: false,
        headers: {
          host,
          ...(cookie ? { cookie } : {}),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const content = Buffer.concat(chunks)
          const { statusCode: status = 0, headers } = answer
          resolve({ status, text: content.toString(), content, headers, ms: performance.now() - began })
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
