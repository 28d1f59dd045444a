import { createServer as createHttpServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import pino, { type DestinationStream, type Logger } from 'pino'
import { prepareDatabase } from '#db/migrate.ts'
import { extensions, modules, moduleEntities, newAccount } from '#modules/registry.ts'
import { printedSignIns, seedDemo, takeOverDemoAdmin } from '#modules/core/demo.ts'
import { ensureAdmin } from '#tenants/accounts/admin-account.ts'
import { authenticationOperations } from '#tenants/accounts/api.ts'
import type { Config } from '#tenants/config.ts'
import { houseMigrations } from '#tenants/migrations/index.ts'
import { openPlatform, type Platform } from '#tenants/platform.ts'
import { houseEntities } from '#tenants/schema.ts'
import { createApi, type Api } from '../api/api.ts'
import { createApp } from '../http/app.ts'
import { errorLine } from './error-serializer.ts'
import { practiceOperations } from '../api/dashboard-api.ts'
import { recordOperations } from '../api/trash-api.ts'
import { queues, workJobs } from './jobs.ts'
import { coachOrigin } from '../http/host-routing.ts'
import { createPages, type BuildSource } from '../pages/pages.ts'
import { tidyAtRest } from './idle-gc.ts'

const entities = [...houseEntities, ...moduleEntities]
const migrations = [...houseMigrations, ...modules.flatMap((module) => module.migrations)]
const drainSeconds = 20

export type Serving = { address: string; close(): Promise<void> }

/** Every call of the API, of the house and of all modules. */
export function allOperations(): Api {
  return createApi([
    ...authenticationOperations,
    ...practiceOperations,
    ...recordOperations,
    ...modules.flatMap((module) => module.operations ?? []),
  ])
}

/**
 * The product as the process that runs it sees it. It comes out of the Remix build, so that pages, API and jobs share one
 * graph of modules: one ORM, one pool, one context.
 */
export const kernel = {
  entities,
  migrations,

  /** Roles, migrations and queues. Answers the address for the role that serves. Throws DatabaseError. */
  prepare({ ownerUrl, config }: { ownerUrl: string; config: Config }) {
    return prepareDatabase({ ownerUrl, secret: config.secretKeys[0]!, entities, migrations, queues })
  },

  /** What one process shares; for the seed, tests and tools. */
  open({
    appUrl,
    config,
    log = logger(config),
    now,
  }: {
    appUrl: string
    config: Config
    log?: Logger
    now?: () => Date
  }): Promise<Platform> {
    return openPlatform({ appUrl, config, entities, log, newAccount, extensions, ...(now ? { now } : {}) })
  },

  /** The demo practice and its sign-ins, once per database. */
  async seed({ appUrl, config }: { appUrl: string; config: Config }): Promise<void> {
    const platform = await kernel.open({ appUrl, config: { ...config, role: 'web' } })
    try {
      await seedDemo(platform)
      await takeOverDemoAdmin(platform)
    } finally {
      await platform.close()
    }
  },

  /** What the terminal says once the product answers. `demo`: the demo practice is there. */
  welcome(config: Config, { demo }: { demo: boolean }): string[] {
    const own = (subdomain: string | null) => (subdomain ? coachOrigin(config, subdomain) : config.origin)
    return [
      `${config.platformName} is ready at ${config.origin}`,
      ...(demo
        ? [
            '',
            'Sign in as',
            ...printedSignIns(config).map(
              ({ email, password, subdomain }) => `  ${email}  ${password}  ${own(subdomain)}`,
            ),
          ]
        : []),
      ...(config.smtpUrl ? [] : ['', `Mails wait at ${config.origin}/dev/outbox`]),
    ]
  },

  /** Serves until `close`, which answers the requests in flight, finishes jobs and closes the pools. */
  async serve(options: {
    appUrl: string
    config: Config
    build: BuildSource
    assets?: string
    log?: Logger
    now?: () => Date
    /** Development puts its tools in front of the server. */
    around?: (server: Server) => void
  }): Promise<Serving> {
    const { config, build, assets } = options
    const platform = await kernel.open(options)
    await ensureAdmin(platform)
    if (config.role !== 'web') await workJobs(platform)
    if (config.role === 'worker') return { address: config.origin, close: () => platform.close() }
    const app = createApp({
      platform,
      api: allOperations(),
      pages: createPages(build),
      uploads: new Set([
        '/branding/logo',
        ...modules.flatMap(({ routes = [] }) => routes.filter((route) => route.uploads).map(({ path }) => `/${path}`)),
      ]),
      ...(assets ? { assets } : {}),
      ready: () => migrated(platform),
    })
    const server = createHttpServer(
      { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 },
      getRequestListener(app.fetch),
    )
    options.around?.(server)
    tidyAtRest(server)
    await listening(server, config)
    return {
      address: config.origin,
      async close() {
        await drained(server)
        await platform.close()
      },
    }
  },
}

export type Kernel = typeof kernel

/** One line a request, as JSON; never a secret, a cookie or what a client wrote. */
export function logger(config: Config, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level: config.logLevel,
      redact: ['req.headers', 'headers.cookie', 'headers.authorization'],
      serializers: { err: (error: unknown) => errorLine(error) },
    },
    destination,
  )
}

/** Lines are written together, ten times a second: a write for each request costs as much as its session. */
const standardOutput = (): DestinationStream =>
  pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 })

async function migrated(platform: Platform): Promise<boolean> {
  const [row] = await platform.reads.look<{ done: number }>({
    name: 'ready',
    text: 'select count(*)::int as done from schema_migration where name = any($1)',
    values: [migrations.map((migration) => migration.name)],
  })
  return row!.done === migrations.length
}

function listening(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** No new connection, idle ones closed, those in flight answered, the last of them cut off after 20 seconds. */
function drained(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
