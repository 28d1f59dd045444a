import { AppError } from '#app/lib/errors.ts'
import type { Query } from '#db/read-pool.ts'
import { inOtherTenant, inTenant, type Platform, type TenantTransaction } from './platform.ts'
import type { PlanName } from './accounts/plans.ts'
import type { Account } from './auth/viewer.ts'

/** `<module>:<noun>:<verb>`, such as `crm:client:write`. Each module explains its own in `permissions.ts`. */
export type PermissionName = `${string}:${string}:${'read' | 'write'}`

/** Who acts, for whom, and when: the first argument of every service. */
export type Ctx = {
  platform: Platform
  /** The tenant. Comes from the session, never from input. */
  coachId: number
  account: Account
  plan: PlanName
  requestId: string
  now(): Date
  can(permission: PermissionName): boolean
  /** Rows of one statement in a tenant transaction of its own: one round trip. In a WriteCtx: in its transaction. */
  rows<Row extends object>(query: Query): Promise<Row[]>
  /** Several statements, one transaction, one round trip. */
  rowsOf(queries: Query[]): Promise<object[][]>
  /** One transaction for everything in `work`; in a WriteCtx the one that is open. */
  write<T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T>
}

/** A Ctx with an open transaction. */
export type WriteCtx = Ctx & TenantTransaction

/** The context of a signed-in coach, who may do everything in their own practice. */
export function coachCtx(platform: Platform, account: Account, requestId: string): Ctx {
  const read = reader(platform, account.id)
  const ctx: Ctx = {
    platform,
    coachId: account.id,
    account,
    plan: account.plan,
    requestId,
    now: platform.now,
    can: () => true,
    async rows<Row extends object>(query: Query) {
      const [rows] = await read([query])
      return rows as Row[]
    },
    rowsOf: read,
    write: (work) => inTenant(platform, account.id, (tx) => work(writing(ctx, tx)), account.id),
  }
  return ctx
}

/** Reads of one request. Those that are asked for at the same moment (a page's loaders) share a round trip. */
function reader(platform: Platform, coachId: number): (queries: Query[]) => Promise<object[][]> {
  type Asked = { queries: Query[]; resolve: (answers: object[][]) => void; reject: (error: unknown) => void }
  let asked: Asked[] = []
  return (queries) =>
    new Promise((resolve, reject) => {
      if (asked.push({ queries, resolve, reject }) === 1) setImmediate(readAtOnce)
    })

  function readAtOnce(): void {
    const now = asked
    asked = []
    const read = (one: Asked) => platform.reads.asTenant(coachId, one.queries).then(one.resolve, one.reject)
    if (now.length === 1) return void read(now[0]!)
    platform.reads
      .asTenant(
        coachId,
        now.flatMap(({ queries }) => queries),
      )
      .then(
        (answers) => now.forEach(({ queries, resolve }) => resolve(answers.splice(0, queries.length))),
        // One that is refused must not take the others with it.
        () => now.forEach((one) => void read(one)),
      )
  }
}

function writing(ctx: Ctx, tx: TenantTransaction): WriteCtx {
  const own: WriteCtx = {
    ...ctx,
    ...tx,
    async rowsOf(queries) {
      const answers = []
      for (const query of queries) answers.push(await tx.rows(query))
      return answers
    },
    write: (work) => work(own),
  }
  return own
}

/** In the transaction of `ctx`, but as another tenant: for the administrator of the platform alone. */
export function writeAs<T>(ctx: WriteCtx, coachId: number, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return inOtherTenant(ctx.platform, { tx: ctx, own: ctx.coachId }, coachId, work)
}

/** Throws forbidden unless the one who acts holds `permission`. Every service asks, so screens and API can't differ. */
export function authorize(ctx: Ctx, permission: PermissionName): void {
  if (!ctx.can(permission)) throw new AppError('forbidden', 'You may not do this.')
}
