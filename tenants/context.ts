import { AppError } from '#app/lib/errors.ts'
import { isStatementError, type Query } from '#db/read-pool.ts'
import { traceStatements } from '#db/tracing.ts'
import type { PlanName } from './accounts/plans.ts'
import { allows, allowsChanges } from './api-keys/scopes.ts'
import { logSecurity } from './auth/security-log.ts'
import type { CoachAccount } from './auth/viewer.ts'
import { withOtherTenant, withTenant, type Extensions, type Platform, type TenantTransaction } from './platform.ts'

/** `<module>:<noun>:<verb>`, such as `crm:client:write`. Each module describes its own in `permissions.ts`. */
export type PermissionName = `${string}:${string}:${'read' | 'write'}`

/** The account, tenant and time of a request or job: the first argument of every service. */
export type Ctx = {
  platform: Platform
  /** The tenant. Comes from the session, never from input. */
  coachId: number
  /** The client who is signed in to the portal: `query` and `write` are limited to what they may see and change. */
  client: PortalClient | null
  account: CoachAccount
  plan: PlanName
  /** Everything that modules register, without those that are switched off for the coach. */
  extensions: Extensions
  /** The API key that makes the request, if one does: what it may read, also while a change runs with more rights. */
  scopes?: readonly string[]
  /** The run of an automation that makes the changes, if one does: see modules/core/automations.ts. */
  automationRun?: { id: number; chain: number[] }
  /** False: what `authorize` refuses is no line of the security log. See `ifAllowed`. */
  logsRefusals?: false
  requestId: string
  /** The client's IP address; null in a job. */
  address: string | null
  now(): Date
  can(permission: PermissionName): boolean
  /** Returns the rows of one statement, run in a read-only tenant transaction; in a WriteCtx in its own transaction. */
  query<Row extends object>(query: Query): Promise<Row[]>
  /**
   * Several statements in one transaction and one round trip. `report`: for statements that take long. They run without
   * the other reads of the same moment, on the replica where there is one.
   */
  queryAll(queries: Query[], options?: { report?: boolean }): Promise<object[][]>
  /** Runs `work` in one transaction; in a WriteCtx in the open one. */
  write<T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T>
}

/** `timezone`: theirs, or else the coach's. `signedInAt`: when they last proved who they are; missing: not in a browser. */
export type PortalClient = { id: number; name: string; email: string; timezone: string; signedInAt?: Date }

/** A Ctx with an open transaction. */
export type WriteCtx = Ctx & TenantTransaction

type RequestInfo = { requestId: string; address?: string | null }
/** The coach, or a visitor of their host. The history names `actorId`. */
type Actor = { actorId: number | null; client?: PortalClient; scopes?: readonly string[]; can: Ctx['can'] }

/** Permissions of clients in the portal, which no coach and no API key has. */
export const isForClients = (name: string): boolean => name.startsWith('client:')

/** The context of a signed-in coach, who has all permissions in their own practice. */
export const coachContext = (platform: Platform, account: CoachAccount, request: RequestInfo): Ctx =>
  createContext(platform, account, request, { actorId: account.id, can: (name) => !isForClients(name) })

/**
 * The context of a request with an API key, which may do what its scopes say. `changes`: the part that the call
 * changes, if any. With the scope for it, the call runs with the coach's own rights, because what follows in other
 * parts, such as the note of a completed session, belongs to the change.
 */
export function keyContext(
  platform: Platform,
  account: CoachAccount,
  request: RequestInfo,
  { scopes, changes = null }: { scopes: string[]; changes?: string | null },
): Ctx {
  const mayChange = changes !== null && allowsChanges(scopes, changes)
  const can = (name: PermissionName): boolean => !isForClients(name) && (mayChange || allows(scopes, name))
  return createContext(platform, account, request, { actorId: account.id, scopes, can })
}

/**
 * The context of a visitor of a coach's host, who may do only what `permissions` names. What the plan of the coach
 * doesn't allow is a conflict that says nothing about it.
 */
export function visitorContext(
  platform: Platform,
  account: CoachAccount,
  request: RequestInfo,
  permissions: readonly PermissionName[],
): Ctx {
  const ctx = createContext(platform, account, request, { actorId: null, can: (name) => permissions.includes(name) })
  return { ...ctx, write: (work) => ctx.write(work).catch(hidePlan) }
}

/** The context of a client in the portal of the coach `account`. What the plan doesn't allow is as for visitors. */
export function clientContext(
  platform: Platform,
  account: CoachAccount,
  request: RequestInfo,
  client: PortalClient,
): Ctx {
  const ctx = createContext(platform, account, request, { actorId: null, client, can: isForClients })
  return { ...ctx, write: (work) => ctx.write(work).catch(hidePlan) }
}

function hidePlan(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'plan_limit') throw error
  throw new AppError('conflict', 'This is not possible at the moment. Please get in touch instead.')
}

function createContext(
  platform: Platform,
  account: CoachAccount,
  { requestId, address = null }: RequestInfo,
  { actorId, client, scopes, can }: Actor,
): Ctx {
  const clientId = client?.id ?? null
  const queryAll = createBatchedReader(platform, account.id, clientId)
  const ctx: Ctx = {
    platform,
    coachId: account.id,
    client: client ?? null,
    ...(scopes ? { scopes } : {}),
    account,
    plan: account.plan,
    extensions: platform.extensions.without(account.modulesOff),
    requestId,
    address,
    now: platform.now,
    can,
    async query<Row extends object>(query: Query) {
      const [rows] = await queryAll([query])
      return rows as Row[]
    },
    queryAll,
    async write(work) {
      // Most changes of a request check the storage. Jobs go through many tenants, and few of them check it.
      if (address !== null) await platform.storageUsage.refresh(ctx)
      return platform.tenantSlots.run(account.id, 'write', () =>
        withTenant(platform, account.id, (tx) => work(toWriteContext(ctx, tx)), actorId, clientId),
      )
    },
  }
  return ctx
}

type PendingRead = { queries: Query[]; resolve: (results: object[][]) => void; reject: (error: unknown) => void }

/** Sends the reads of the same moment, such as those of a page's loaders, in one round trip. */
function createBatchedReader(platform: Platform, coachId: number, clientId: number | null): Ctx['queryAll'] {
  let pending: PendingRead[] = []
  const { replica, readPool, tenantSlots } = platform
  const read = (queries: Query[]) =>
    tenantSlots.run(coachId, 'read', () => readPool.queryAsTenant(coachId, queries, clientId))
  const readReport = (queries: Query[]) =>
    replica
      ? tenantSlots.run(coachId, 'report', () => replica.queryAsTenant(coachId, queries, clientId, () => read(queries)))
      : read(queries)
  return (queries, { report = false } = {}) =>
    traceStatements(
      queries,
      () =>
        new Promise((resolve, reject) => {
          if (report) return void readReport(queries).then(resolve, reject)
          if (pending.push({ queries, resolve, reject }) === 1) setImmediate(runPending)
        }),
    )

  function runPending(): void {
    const batch = pending
    pending = []
    const runOne = ({ queries, resolve, reject }: PendingRead) => read(queries).then(resolve, reject)
    if (batch.length === 1) return void runOne(batch[0]!)
    read(batch.flatMap(({ queries }) => queries)).then(
      (results) => batch.forEach(({ queries, resolve }) => resolve(results.splice(0, queries.length))),
      (error) => {
        // Run them one by one, so that one that fails doesn't fail the others.
        if (isStatementError(error)) for (const one of batch) void runOne(one)
        else for (const { reject } of batch) reject(error)
      },
    )
  }
}

function toWriteContext(ctx: Ctx, tx: TenantTransaction): WriteCtx {
  const writeCtx: WriteCtx = {
    ...ctx,
    ...tx,
    queryAll: (queries) => Promise.all(queries.map((query) => tx.query(query))),
    write: (work) => work(writeCtx),
  }
  return writeCtx
}

/** Runs `work` in the transaction of `ctx` as another tenant: only for the platform's administrator. */
export function writeAsTenant<T>(
  ctx: WriteCtx,
  coachId: number,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  return withOtherTenant(ctx.platform, { tx: ctx, ownId: ctx.coachId }, coachId, work)
}

/** Writes to the log that an account was refused what it may not do. */
export function logRefusal({ platform, coachId, address, logsRefusals }: Ctx, reason: string): void {
  if (logsRefusals === false) return
  logSecurity(platform, { event: 'permission_refused', account: coachId, address, reason })
}

/** The client of the portal whose context this is. Throws forbidden for anyone else, and without `permission`. */
export function requireClient(ctx: Ctx, permission: PermissionName): PortalClient {
  authorize(ctx, permission)
  if (!ctx.client) throw new AppError('forbidden', "You don't have permission to do this.")
  return ctx.client
}

/**
 * Throws forbidden for an API key whose own scopes don't include `permission`: for what a change of another part would
 * tell.
 */
export function authorizeKey(ctx: Ctx, permission: PermissionName, message: string): void {
  if (!ctx.scopes || allows(ctx.scopes, permission)) return
  logRefusal(ctx, permission)
  throw new AppError('forbidden', message)
}

/** With no more rights than the scopes of an API key include: for a change that sets up what is done in other parts. */
export function limitToScopes<C extends Ctx>(ctx: C): C {
  const { scopes } = ctx
  return scopes ? { ...ctx, can: (name) => ctx.can(name) && allows(scopes, name) } : ctx
}

/**
 * Returns what `read` does, and null if the caller may not read it: for a response that leaves out what its API key may
 * not see. That is no attempt to get at it, so the security log has no line about it.
 */
export async function ifAllowed<T>(ctx: Ctx, read: (ctx: Ctx) => Promise<T>): Promise<T | null> {
  try {
    return await read({ ...ctx, logsRefusals: false })
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return null
    throw error
  }
}

/** Throws forbidden without `permission`. Every service calls it, so that screens and API have the same rules. */
export function authorize(ctx: Ctx, permission: PermissionName): void {
  if (ctx.can(permission)) return
  logRefusal(ctx, permission)
  throw new AppError('forbidden', "You don't have permission to do this.")
}
