import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pino, { type DestinationStream, type Logger } from 'pino'
import { hasDiskSpace } from '#db/disk-space.ts'
import { checkMigrated, getAppUrl, prepareDatabase } from '#db/migrate.ts'
import { toModuleInfo, type ModuleInfo } from '#modules/core/extensions.ts'
import { extensions, modules, moduleEntities, newAccount } from '#modules/registry.ts'
import { ensureDemo, type DemoSignIn } from '#modules/core/demo.ts'
import { checkAdminPassword, ensureAdmin } from '#tenants/accounts/admin-account.ts'
import { authenticationOperations } from '#tenants/accounts/api.ts'
import { domainOperations } from '#tenants/domains/api.ts'
import { isLocalOnly, subdomainOrigin, type Config } from '#tenants/config.ts'
import { clearOutbox, showsOutbox } from '#tenants/mail.ts'
import type { Operation } from '#tenants/api/operation.ts'
import { platformMigrations } from '#tenants/migrations.ts'
import { uploadOperations } from '#tenants/files/api.ts'
import { openPlatform, type Platform } from '#tenants/platform.ts'
import { platformEntities } from '#tenants/schema.ts'
import { createApi, type Api } from '../api/api.ts'
import { createApp } from '../http/app.ts'
import { readProcessMetrics, shareMetrics } from './share-metrics.ts'
import { createHttpServer } from '../http/server.ts'
import { serializeError } from './error-serializer.ts'
import { dashboardOperations } from '../api/dashboard-api.ts'
import { notificationOperations } from '../api/notifications-api.ts'
import { historyOperation, trashOperations } from '../api/trash-api.ts'
import { queues, startWorkers } from './jobs.ts'
import { startTracing } from './tracing.ts'
import { createPages, type BuildSource } from '../pages/pages.ts'

const entities = [...platformEntities, ...moduleEntities]
const migrations = [...platformMigrations, ...modules.flatMap((module) => module.migrations)]
const drainSeconds = 5
const readySeconds = 2

export type RunningServer = {
  address: string
  /** Resolves once this process works on jobs, too, if it does; requests don't wait for it. */
  workersStarted: Promise<void>
  close(): Promise<void>
}

/** The API with the operations of the platform and of all modules. */
export function createAppApi(): Api {
  const histories = modules.map((module) => (module.recordKinds ?? []).map(historyOperation))
  const owners = new Map<Operation, ModuleInfo>()
  for (const [index, module] of modules.entries())
    for (const own of [...(module.operations ?? []), ...histories[index]!]) owners.set(own, toModuleInfo(module))
  const all = [
    ...authenticationOperations,
    ...domainOperations,
    ...dashboardOperations,
    ...trashOperations,
    ...notificationOperations,
    ...histories.flat(),
    ...uploadOperations,
    ...modules.flatMap((module) => module.operations ?? []),
  ]
  return createApi(all, { getModule: (operation) => owners.get(operation) ?? null })
}

/** The pages that accept file uploads. */
export const uploadPaths = [
  '/branding/logo',
  '/settings/account/photo',
  ...modules.flatMap(({ routes = [] }) => routes.filter((route) => route.uploads).map(({ path }) => `/${path}`)),
]

/**
 * The composition root. It is exported by the Remix build, so that pages, API and jobs share one module graph: one ORM,
 * one pool, one context.
 */
export const runtime = {
  entities,
  migrations,

  /**
   * Creates roles, migrations and queues. Returns the connection string of the app's role. Throws DatabaseError, and
   * ConfigError before it changes anything.
   */
  async prepare({ ownerUrl, config }: { ownerUrl: string; config: Config }) {
    await checkAdminPassword(config)
    return prepareDatabase({ ownerUrl, secretKeys: config.secretKeys, entities, migrations, queues })
  },

  /**
   * The serving role's connection string of APP_DATABASE_URL. Throws DatabaseError if it isn't migrated to this
   * version.
   */
  async findDatabase({ url, config }: { url: string; config: Config }): Promise<string> {
    const appUrl = getAppUrl(url, config.secretKeys[0]!)
    await checkMigrated({ appUrl, secretKey: config.secretKeys[0]!, entities, migrations, queues })
    return appUrl
  },

  /** Opens the services that one process shares. */
  open({
    appUrl,
    config,
    log = createLogger(config),
    now,
    lazyOrm,
  }: {
    appUrl: string
    config: Config
    log?: Logger
    now?: () => Date
    lazyOrm?: boolean
  }): Promise<Platform> {
    const parts = { entities, migrations, newAccount, extensions }
    return openPlatform({ appUrl, config, log, ...parts, ...(now ? { now } : {}), ...(lazyOrm ? { lazyOrm } : {}) })
  },

  /** Whether the database responds within 2 seconds, has all migrations and room on its disk. May throw. */
  isReady(platform: Platform): Promise<boolean> {
    const check = async () => (await isMigrated(platform)) && (await hasDiskSpace(platform.readPool))
    return Promise.race([check(), pause(readySeconds * 1000, false, { ref: false })])
  },

  /**
   * Creates or closes the demo practices (null: neither), and the administrator of ADMIN_EMAIL, as the database's
   * owner. Returns the demo's sign-ins.
   */
  async ensureAccounts({
    ownerUrl,
    config,
    demo,
    now,
  }: {
    ownerUrl: string
    config: Config
    demo: boolean | null
    now?: () => Date
  }): Promise<DemoSignIn[]> {
    if (demo === null && !config.admin) return []
    const platform = await runtime.open({
      appUrl: ownerUrl,
      config: { ...config, role: 'web' },
      // Most starts change no account.
      lazyOrm: true,
      ...(now ? { now } : {}),
    })
    try {
      const signIns = demo === null ? [] : await ensureDemo(platform, modules, { demo })
      await ensureAdmin(platform)
      return signIns
    } finally {
      await platform.close()
    }
  },

  clearOutbox,

  /** The lines to print once the server is ready. */
  formatWelcome(config: Config, signIns: DemoSignIn[]): string[] {
    const { platformName, origin } = config
    const passwords = (password: string | null) => (signIns.some((signIn) => signIn.password) ? [password ?? ''] : [])
    const rows = signIns.map(({ label, email, password, subdomain }) => [
      label,
      email,
      ...passwords(password),
      subdomain ? subdomainOrigin(config, subdomain) : `${origin}/admin`,
    ])
    const host = signIns.find(({ subdomain }) => subdomain)?.subdomain
    if (host && isLocalOnly(config))
      rows.push(['Client', 'npm run demo:passwords', ...passwords(null), `${subdomainOrigin(config, host)}/portal`])
    if (signIns.some(({ password }) => password === null)) rows.push(['Passwords', 'npm run demo:passwords'])
    if (showsOutbox(config)) rows.push(['Emails', `${origin}/dev/outbox`])
    return [`${platformName} is ready: ${origin}`, ...formatColumns(rows), '  (Ctrl+C stops it)']
  },

  /** Serves until `close`, which finishes open requests and jobs, then closes the pools. */
  async serve(options: {
    appUrl: string
    config: Config
    build: BuildSource
    assets?: string
    log?: Logger
    now?: () => Date
    /** Lets the development server add its middleware. */
    wrapServer?: (server: Server) => void
  }): Promise<RunningServer> {
    const { config, build, assets } = options
    const log = options.log ?? createLogger(config)
    const tracing = await startTracing(config, log)
    const platform = await runtime.open({ ...options, log })
    const close = () => {
      tracing.flush()
      return platform.close().finally(() => tracing.stop())
    }
    if (config.role === 'worker') {
      await startWorkers(platform)
      shareMetrics(async () => ({ ...readProcessMetrics(), requests: [], durations: [], replica: null }))
      return { address: config.origin, workersStarted: Promise.resolve(), close }
    }
    const app = createApp({
      platform,
      api: createAppApi(),
      pages: createPages(build, { fastRender: config.fastRender }),
      uploads: uploadPaths,
      ...(assets ? { assets } : {}),
      ready: () => runtime.isReady(platform),
    })
    const server = createHttpServer(app.fetch)
    options.wrapServer?.(server)
    await listen(server, config)
    const workersStarted = config.role === 'web' ? Promise.resolve() : startWorkers(platform)
    return {
      address: config.origin,
      workersStarted,
      async close() {
        await drain(server)
        // A queue that is stopped takes no worker.
        await workersStarted.catch(() => {})
        await close()
      },
    }
  },
}

export type Runtime = typeof runtime

/** Logs JSON lines, without secrets, cookies or personal data. */
export function createLogger(config: Config, destination: DestinationStream = bufferedStdout()): Logger {
  return pino(
    {
      level: config.logLevel,
      redact: ['req.headers', 'headers.cookie', 'headers.authorization'],
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    destination,
  )
}

/** Buffers lines for up to 100 ms: one write per request costs as much as its session look-up. */
const bufferedStdout = (): DestinationStream =>
  pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 })

/** Indents rows and aligns their columns. The last cell of a row doesn't widen its column. */
function formatColumns(rows: string[][]): string[] {
  const width = (column: number) =>
    Math.max(0, ...rows.filter((row) => row.length > column + 1).map((row) => row[column]!.length))
  return rows.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd()}`,
  )
}

async function isMigrated(platform: Platform): Promise<boolean> {
  const [row] = await platform.readPool.queryGlobal<{ done: number }>({
    name: 'ready',
    text: 'select count(*)::int as done from schema_migration where name = any($1)',
    values: [migrations.map((migration) => migration.name)],
  })
  return row!.done === migrations.length
}

function listen(server: Server, { port, host, webProcesses }: Config): Promise<void> {
  // The kernel divides connections between the processes that listen, and a killed one keeps none. Elsewhere than on
  // Linux the supervisor does.
  const reusePort = webProcesses > 1 && process.platform === 'linux'
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Stops accepting connections and waits for open requests, for at most 5 seconds. */
function drain(server: Server): Promise<void> {
  // A proxy keeps its connections open and would go on sending requests.
  server.prependListener('request', (_request, response) => void (response.shouldKeepAlive = false))
  const closing = setInterval(() => server.closeIdleConnections(), 50)
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(closing)
      resolve()
    })
  })
}
