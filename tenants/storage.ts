import { AppError } from '#app/lib/errors.ts'
import { setClient, setPlanMode, type Query, type ReadPool } from '#db/read-pool.ts'
import { traceStatements } from '#db/tracing.ts'
import { effectivePlanSql, plans, type PlanName } from './accounts/plans.ts'
import type { Ctx, WriteCtx } from './context.ts'
import type { Platform } from './platform.ts'

/** Reading the usage takes milliseconds for each thousand records: not for every change. */
const validMs = 5_000
/** No tenant adds more: far from its limit the usage is valid for longer. */
const bytesPerSecond = 20 * 1024 ** 2
const maxValidMs = 10 * 60_000
/** Neither reads long values, only their length. */
const sizeFunctions: Record<string, string> = { text: 'octet_length', bytea: 'octet_length', jsonb: 'pg_column_size' }
/** A row and its index entries, without its texts. */
const bytesPerRow = 200

export type StorageUsage = {
  /** Bytes, up to 5 seconds old. */
  get(ctx: Ctx): Promise<number>
  /** Whether the tenant has `maxBytes` or more. */
  reaches(ctx: Ctx, maxBytes: number): Promise<boolean>
  /** Bytes at this moment, with what the transaction of `ctx` has added. */
  read(ctx: Ctx): Promise<number>
  /**
   * Reads it on a connection that does nothing else, unless it is known, for the transaction that begins next: planning
   * the statement takes a connection a fifth of a second and some MB, since it reads all tables. Once for all requests
   * of a tenant at the same moment. If it fails, the transaction reads it.
   */
  refresh(ctx: Ctx): Promise<void>
  /** Files of the tenant that this process is receiving or has received, and whose records aren't stored yet. */
  incoming(coachId: number): IncomingFiles
}

/** Together they have no more room than one: the bytes of each count for the others as they arrive. */
export type IncomingFiles = {
  /** Counts bytes of a file. Returns those of all. */
  add(key: string, bytes: number): number
  /** The file has a record of this size, or (0) was given up. */
  settle(key: string, keptBytes: number): void
  /** The tenant's stored bytes, as far as they are known without a query. */
  known(): number | null
}

/** Counts the bytes of each tenant's records, trash, history and files. `pool`: for `refresh` alone. */
export function createStorageUsage(getOrm: () => Platform['orm'], pool: ReadPool): StorageUsage {
  const usage = new Map<number, { bytes: number; readAt: number }>()
  const refreshing = new Map<number, Promise<unknown>>()
  const arriving = new Map<number, Map<string, number>>()
  let text: string | undefined
  async function measure(ctx: Ctx, run: (queries: Query[]) => Promise<object[][]>): Promise<number> {
    const now = ctx.now().getTime()
    for (const [coachId, { readAt }] of usage) if (now - readAt >= maxValidMs) usage.delete(coachId)
    text ??= usageSql(getOrm())
    // Planning a query of all tables takes ten times as long as its execution.
    const [, rows] = await run([
      setPlanMode('force_generic_plan'),
      { name: 'storage.usage', text, values: [ctx.coachId] },
      setPlanMode('auto'),
    ])
    const bytes = Number((rows as { bytes: number }[])[0]!.bytes)
    usage.set(ctx.coachId, { bytes, readAt: now })
    return bytes
  }
  /** A client in the portal sees a part of the tenant's records. */
  const read = (ctx: Ctx): Promise<number> =>
    measure(ctx, async (queries) => {
      if (!ctx.client) return ctx.queryAll(queries)
      return (await ctx.queryAll([setClient(null), ...queries, setClient(ctx.client.id)])).slice(1)
    })
  /** Null if it was read longer ago. */
  function findKnown(ctx: Ctx, toValidMs: (bytes: number) => number): number | null {
    const known = usage.get(ctx.coachId)
    return known && ctx.now().getTime() - known.readAt < toValidMs(known.bytes) ? known.bytes : null
  }
  const getValidMs = (maxBytes: number) => (bytes: number) =>
    Math.min(maxValidMs, Math.max(validMs, ((maxBytes - bytes) / bytesPerSecond) * 1000))
  return {
    read,
    async refresh(ctx) {
      const { coachId, plan } = ctx
      if (findKnown(ctx, getValidMs(plans[plan].maxStorageBytes)) !== null) return
      const result =
        refreshing.get(coachId) ??
        measure(ctx, (queries) => traceStatements(queries, () => pool.queryAsTenant(coachId, queries)))
          .catch(() => {})
          .finally(() => refreshing.delete(coachId))
      refreshing.set(coachId, result)
      await result
    },
    incoming: (coachId) => ({
      add(key, bytes) {
        const files = arriving.get(coachId) ?? new Map<string, number>()
        arriving.set(coachId, files.set(key, (files.get(key) ?? 0) + bytes))
        return [...files.values()].reduce((sum, size) => sum + size, 0)
      },
      settle(key, keptBytes) {
        const files = arriving.get(coachId)
        if (!files?.delete(key)) return
        if (!files.size) arriving.delete(coachId)
        const known = usage.get(coachId)
        if (known) known.bytes += keptBytes
      },
      known: () => usage.get(coachId)?.bytes ?? null,
    }),
    get: async (ctx) => findKnown(ctx, () => validMs) ?? read(ctx),
    reaches: async (ctx, maxBytes) => (findKnown(ctx, getValidMs(maxBytes)) ?? (await read(ctx))) >= maxBytes,
  }
}

/** Throws plan_limit when the plan's storage is full. For every change that adds text or files. */
export async function assertStorage(ctx: Ctx): Promise<void> {
  if (await isStorageFull(ctx)) throw storageFullError(ctx.plan)
}

export const isStorageFull = (ctx: Ctx): Promise<boolean> =>
  ctx.platform.storageUsage.reaches(ctx, plans[ctx.plan].maxStorageBytes)

/**
 * Counts the bytes of a file as they arrive: `add` throws plan_limit once the files of the tenant that arrive at the
 * same time have no more room in its plan.
 */
export async function receiveBytes(ctx: Ctx, key: string): Promise<{ add(bytes: number): void }> {
  const { storageUsage } = ctx.platform
  const used = await storageUsage.get(ctx)
  const files = storageUsage.incoming(ctx.coachId)
  return {
    add(bytes) {
      const total = files.add(key, bytes)
      if ((files.known() ?? used) + total > plans[ctx.plan].maxStorageBytes) throw storageFullError(ctx.plan)
    },
  }
}

/** What `receiveBytes` has counted for a file is stored with its record, or (0) was given up. */
export const settleBytes = (
  { platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>,
  key: string,
  keptBytes: number,
): void => platform.storageUsage.incoming(coachId).settle(key, keptBytes)

/**
 * Throws plan_limit unless the plan has room for a file of `bytes`. Locks the account until the transaction ends, in
 * which the file is recorded, so that files at the same time can't share the room.
 */
export async function reserveStorage(ctx: WriteCtx, bytes: number): Promise<void> {
  const [account] = await ctx.query<{ plan: PlanName }>({
    name: 'storage.lock-account',
    text: `select ${effectivePlanSql('$2')} as plan from account where id = $1 for no key update`,
    values: [ctx.coachId, ctx.now()],
  })
  const { plan } = account!
  if ((await ctx.platform.storageUsage.read(ctx)) + bytes > plans[plan].maxStorageBytes) throw storageFullError(plan)
}

function storageFullError(plan: PlanName): AppError {
  const { title, maxStorageBytes } = plans[plan]
  return new AppError(
    'plan_limit',
    `Your ${title} plan includes ${formatBytes(maxStorageBytes)} of storage. ` +
      'Upgrade your plan, or delete records and empty the trash.',
  )
}

/** '200 MB', '1.5 GB' */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  return megabytes < 1024 ? `${Math.ceil(megabytes)} MB` : `${Number((megabytes / 1024).toFixed(1))} GB`
}

/** Files in the store, and those that are being sent. */
const fileSums = ['stored_file', 'file_upload'].map(
  (table) => `(select coalesce(sum(size), 0) from ${table} where coach_id = $1)`,
)

/** SQL: the sum over all tables of the tenant. */
function usageSql(orm: Platform['orm']): string {
  const tables = [...orm.getMetadata().getAll().values()].flatMap(({ tableName, properties }) => {
    const columns = Object.values(properties).flatMap(({ fieldNames, columnTypes = [], generated }) =>
      (fieldNames ?? []).flatMap((name, index) => {
        const size = generated ? undefined : sizeFunctions[columnTypes[index] ?? '']
        return size ? [`coalesce(${size}("${name}"), 0)`] : []
      }),
    )
    return properties.coachId && columns.length ? [{ tableName, columns }] : []
  })
  const sums = tables.map(
    ({ tableName, columns }) =>
      `(select coalesce(sum(${[bytesPerRow, ...columns].join(' + ')}), 0)
        from "${tableName}" where coach_id = $1)`,
  )
  return `select ${[...sums, ...fileSums].join(' + ')} as bytes`
}
