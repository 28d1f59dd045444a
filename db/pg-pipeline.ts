import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import pg from 'pg'
import { reportDiskError } from './disk-space.ts'
import { traceStatements } from './tracing.ts'

/** A statement. Postgres prepares a named one once per connection; a name must always have the same text. */
export type Statement = { name?: string | undefined; text: string; values?: unknown[] | undefined }
export type StatementResult = { command: string; rowCount: number | null; rows: Row[] }
export type PipelinePoolConfig = pg.PoolConfig & {
  /** False: never prepare statements under a name (PgBouncer before 1.21, in transaction mode). */
  namedStatements: boolean
}

type Row = Record<string, unknown>
type Field = { name: string; dataTypeID: number }
type Values = (string | null)[]
type RowBuilder = (values: Values) => Row
type PreparedStatement = { text: string; buildRow: RowBuilder }

/** How long a statement may run without sending a row. */
const silenceMs = 10_000

/**
 * A new connection takes several times as long for each of its first statements: it has to read the catalog and to plan
 * them. So a pool keeps one while nobody uses the product; not for ever, because new settings of the role need new ones.
 */
export const keepOneConnection = { min: 1, maxLifetimeSeconds: 30 * 60 }
/** Routers forget connections that send nothing for some minutes. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 60_000 }

/** Publishes every statement of a pipeline pool as `{ name, text, values }`. */
export const statementChannel = channel('practice.db.statement')

/** Chooses the tenant of a transaction. */
export const setTenantText = "select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)"

const begin: Statement = { name: 'begin', text: 'begin' }
const emptyResult: StatementResult = { command: '', rowCount: null, rows: [] }

/** Names of prepared statements by their text. */
const statementNames = new Map([[setTenantText, 'set-tenant']])
/** The texts of `deferStatement`. */
const deferredTexts = new Set([setTenantText])

/** Prepares `text` under `name` on pipeline connections. Needed for Kysely, which passes on the text alone. */
export function nameStatement(name: string, text: string): void {
  statementNames.set(text, name)
}

/**
 * As `nameStatement`, for a statement whose rows nobody reads: in a transaction it is sent together with the next one,
 * at the latest with the commit, which then throws its error.
 */
export function deferStatement(name: string, text: string): void {
  nameStatement(name, text)
  deferredTexts.add(text)
}

/** A pool of `PipelineClient`s. */
export function createPipelinePool(config: PipelinePoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...keepOneConnection, ...config, Client: PipelineClient })
  limitSilence(pool)
  return pool
}

/**
 * A server that is frozen or cut off doesn't enforce its own timeouts: its statements would wait for ever. So a
 * connection in use ends when it hears nothing for `silenceMs`.
 */
export function limitSilence(pool: pg.Pool): void {
  pool.on('connect', ({ connection: { stream } }) => stream.on('timeout', () => stream.destroy()))
  pool.on('acquire', (client) => setSilenceLimit(client, silenceMs))
  pool.on('release', (_error, client) => setSilenceLimit(client, 0))
}

/** `ms`: 0 for none. */
function setSilenceLimit({ connection: { stream } }: Pick<pg.PoolClient, 'connection'>, ms: number): void {
  if (stream instanceof Socket) stream.setTimeout(ms)
}

/** A statement that waits to be sent. Nobody waits for the result of a deferred one. */
type Waiting = { statement: Statement; resolve?: (result: StatementResult) => void; reject?: (error: unknown) => void }

/**
 * A connection that sends several statements in one write and reads their results in one read; `pg` alone waits for
 * each. So it sends those of the same moment, and `begin` and other deferred statements with the next one: a write of
 * one statement costs two round trips, not four. Until `begin` is sent there is nothing to roll back.
 */
export class PipelineClient extends pg.Client {
  readonly #named: boolean
  readonly #prepared = new Map<string, PreparedStatement>()
  #waiting: Waiting[] = []
  #willSend = false

  constructor(config: Partial<PipelinePoolConfig> = {}) {
    super({ connectionTimeoutMillis: 5_000, ...keepAlive, ...config })
    this.#named = config.namedStatements !== false
    this.setTypeParser(pg.types.builtins.TIMESTAMP, toIsoTimestamp)
  }

  /**
   * Sends `statements` together. Without a `begin` among them they form one implicit transaction. When one fails, the
   * ones after it don't run. Throws Postgres' error.
   */
  async executePipeline(statements: Statement[]): Promise<StatementResult[]> {
    const named = statements.map(
      ({ name, text, values }): Statement =>
        this.#named && name !== undefined ? { name: shortenName(name), text, values } : { text, values },
    )
    const reused = named.find(
      ({ name, text }) => name !== undefined && (this.#prepared.get(name)?.text ?? text) !== text,
    )
    if (reused) throw new Error(`The statement name "${reused.name}" is used for two different texts`)
    for (const statement of statements) publish(statement)
    return new Promise((resolve, reject) => {
      super.query(createPipelineQuery(this, this.#prepared, named, resolve, reject))
    })
  }

  /** A frozen server doesn't confirm the end. Returns `never` as `query` does. */
  override end(...callback: [] | [callback: (error: Error) => void]): never {
    setSilenceLimit(this, silenceMs)
    return Reflect.apply(super.end, this, callback) as never
  }

  /** Returns `never` because the overloads of `pg` can't be restated; callers see those of `pg.Client`. */
  override query(config: unknown, values: unknown = [], ...rest: unknown[]): never {
    if (typeof config !== 'string' || !Array.isArray(values) || rest.length)
      return Reflect.apply(super.query, this, [config, values, ...rest]) as never
    return this.#queryText(config, values) as never
  }

  async #queryText(text: string, values: unknown[]): Promise<StatementResult | pg.QueryResult> {
    const statement = text === begin.text ? begin : { name: statementNames.get(text), text, values }
    if (this.#isDeferred(text)) {
      this.#waiting.push({ statement })
      return emptyResult
    }
    if (this.#isNothing(text)) {
      this.#waiting = []
      return emptyResult
    }
    if (text === 'rollback') this.#waiting = []
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject })
      if (!this.#willSend) queueMicrotask(() => this.#sendWaiting())
      this.#willSend = true
    })
  }

  #isDeferred(text: string): boolean {
    if (text === begin.text) return true
    return deferredTexts.has(text) && (this.#waiting.length > 0 || this.getTransactionStatus() === 'T')
  }

  /** Whether `text` ends a transaction that was not begun, or only to choose its tenant. */
  #isNothing(text: string): boolean {
    if (this.#waiting[0]?.statement !== begin) return false
    return text === 'rollback' || (text === 'commit' && this.#waiting.slice(1).every(isTenantChoice))
  }

  #sendWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#willSend = false
    const statements = waiting.map(({ statement }) => statement)
    traceStatements(statements, () => this.#send(statements)).then(
      (results) => waiting.forEach(({ resolve }, index) => resolve?.(results[index]!)),
      (error) => waiting.forEach(({ reject }) => reject?.(error)),
    )
  }

  async #send(statements: Statement[]): Promise<StatementResult[]> {
    const { name, text, values } = statements[0]!
    if (statements.length > 1 || (this.#named && name !== undefined)) return this.executePipeline(statements)
    publish({ name, text, values })
    return [
      await super.query(text, values).catch((error: unknown) => {
        reportDiskError(error)
        throw error
      }),
    ]
  }
}

/** Postgres cuts longer names: two that begin alike would share one statement. */
const maxNameLength = 63
const shortNames = new Map<string, string>()

function shortenName(name: string): string {
  if (name.length <= maxNameLength) return name
  let short = shortNames.get(name)
  if (short === undefined) {
    short = `${name.slice(0, maxNameLength - 17)}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
    shortNames.set(name, short)
  }
  return short
}

const isTenantChoice = ({ statement }: Waiting): boolean => statement.text === setTenantText

/** '2026-03-01 09:30:00.5', a time in UTC, as '2026-03-01T09:30:00.500Z'. See `isoTimestamp`. */
function toIsoTimestamp(text: string): string {
  const space = text.indexOf(' ')
  const time = text.slice(space + 1)
  return `${text.slice(0, space)}T${time.length > 8 ? time.slice(0, 12).padEnd(12, '0') : `${time}.000`}Z`
}

function publish({ name, text, values }: Statement): void {
  if (statementChannel.hasSubscribers) statementChannel.publish({ name, text, values })
}

/** What `pg` calls back while it sends a pipeline and reads its results (a "submittable" of its lib/client.js). */
function createPipelineQuery(
  client: pg.Client,
  prepared: Map<string, PreparedStatement>,
  statements: Statement[],
  resolve: (results: StatementResult[]) => void,
  reject: (error: unknown) => void,
) {
  const results: StatementResult[] = []
  const rowBuilders: RowBuilder[] = []
  let rows: Row[] = []
  let buildRow = getPreparedRowBuilder(0)
  let hasFailed = false

  return {
    submit(connection: pg.Connection) {
      connection.stream.cork()
      try {
        for (const statement of statements) send(connection, statement)
        connection.sync()
      } finally {
        connection.stream.uncork()
      }
    },
    handleRowDescription({ fields }: { fields: Field[] }) {
      buildRow = createRowBuilder(client, fields)
    },
    handleDataRow({ fields }: { fields: Values }) {
      rows.push(buildRow(fields))
    },
    handleCommandComplete({ text }: { text: string }) {
      const [command = '', ...counts] = text.split(' ')
      results.push({ command, rowCount: counts.length ? Number(counts.at(-1)) : null, rows })
      rowBuilders.push(buildRow)
      rows = []
      buildRow = getPreparedRowBuilder(results.length)
    },
    handleReadyForQuery() {
      if (hasFailed) return
      for (const [index, { name, text }] of statements.entries())
        if (name !== undefined) prepared.set(name, { text, buildRow: rowBuilders[index]! })
      resolve(results)
    },
    handleError(error: unknown) {
      hasFailed = true
      reportDiskError(error)
      // Unknown which of them Postgres has prepared by now: prepare them again next time.
      for (const { name } of statements) if (name !== undefined) prepared.delete(name)
      reject(error)
    },
  }

  function getPreparedRowBuilder(index: number): RowBuilder {
    const name = statements[index]?.name
    return (name === undefined ? undefined : prepared.get(name)?.buildRow) ?? (() => ({}))
  }

  function send(connection: pg.Connection, { name = '', text, values = [] }: Statement): void {
    const isPrepared = prepared.has(name)
    if (!isPrepared) {
      if (name) connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values: values.map(toParameter) }, true)
    if (!isPrepared) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({}, true)
  }
}

const textTypes: number[] = [pg.types.builtins.TEXT, pg.types.builtins.VARCHAR]

/** Copies an object with all columns and overwrites its values: all rows share one shape, which V8 reads faster. */
function createRowBuilder(client: pg.Client, fields: Field[]): RowBuilder {
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    parse: textTypes.includes(dataTypeID) ? undefined : client.getTypeParser(dataTypeID, 'text'),
  }))
  const emptyRow: Row = Object.fromEntries(columns.map(({ name }) => [name, null]))
  return (values) => {
    const row = { ...emptyRow }
    for (let index = 0; index < columns.length; index++) {
      const { name, parse } = columns[index]!
      const value = values[index]!
      row[name] = value === null || !parse ? value : parse(value)
    }
    return row
  }
}

/** A value in Postgres' text format; bytes stay binary. */
function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(toArrayElement).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function toArrayElement(value: unknown): string {
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : toParameter(value)
  return text === null ? 'null' : `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`
}
