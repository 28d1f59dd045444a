import pg from 'pg'

/** A statement that Postgres prepares once per connection under its name: one name, one text. Without a name, each time. */
export type Statement = { name?: string | undefined; text: string; values?: unknown[] | undefined }
export type Answer = { command: string; rowCount: number | null; rows: Row[] }

type Row = Record<string, unknown>
type Field = string | null
type Column = { name: string /** Undefined: the text is the value. */; read: ((text: string) => unknown) | undefined }
type MakeRow = (fields: Field[]) => Row
type Prepared = { text: string; make: MakeRow }

/** What each connection has prepared, and what makes rows of its answers. */
const preparedOn = new WeakMap<pg.Connection, Map<string, Prepared>>()

/**
 * Sends statements in one write and gets their answers in one read: `pg` alone ends each statement with a Sync, which makes
 * Postgres answer each by itself. Outside of a transaction they form one, and a local setting holds to its end.
 * When one fails, nothing behind it runs. Throws Postgres' error.
 */
export async function together(client: pg.Client, statements: Statement[]): Promise<Answer[]> {
  const prepared = preparedOn.get(client.connection) ?? new Map<string, Prepared>()
  preparedOn.set(client.connection, prepared)
  const twice = statements.find(({ name, text }) => name !== undefined && (prepared.get(name)?.text ?? text) !== text)
  if (twice) throw new Error(`The statement "${twice.name}" has two texts`)
  return new Promise((resolve, reject) => {
    client.query(exchange(client, prepared, statements, resolve, reject))
  })
}

function exchange(
  client: pg.Client,
  prepared: Map<string, Prepared>,
  statements: Statement[],
  resolve: (answers: Answer[]) => void,
  reject: (error: unknown) => void,
) {
  const answers: Answer[] = []
  const makers: MakeRow[] = []
  let rows: Row[] = []
  let make = makerOf(0)
  let failed = false

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
    handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
      const columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(client, dataTypeID) }))
      make = statements[answers.length]?.name === undefined ? makeOf(columns) : lastingMakeOf(columns)
    },
    handleDataRow({ fields }: { fields: Field[] }) {
      rows.push(make(fields))
    },
    handleCommandComplete({ text }: { text: string }) {
      const [command = '', ...counts] = text.split(' ')
      answers.push({ command, rowCount: counts.length ? Number(counts.at(-1)) : null, rows })
      makers.push(make)
      rows = []
      make = makerOf(answers.length)
    },
    handleReadyForQuery() {
      if (failed) return
      statements.forEach(({ name, text }, at) => name !== undefined && prepared.set(name, { text, make: makers[at]! }))
      resolve(answers)
    },
    handleError(error: unknown) {
      failed = true
      // Which of them Postgres knows by now isn't certain: they are prepared anew.
      for (const { name } of statements) if (name !== undefined) prepared.delete(name)
      reject(error)
    },
  }

  function makerOf(at: number): MakeRow {
    const name = statements[at]?.name
    return (name === undefined ? undefined : prepared.get(name)?.make) ?? noColumns
  }

  function send(connection: pg.Connection, { name = '', text, values = [] }: Statement): void {
    const known = prepared.get(name)
    if (!known) {
      if (name) connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values: values.map(asParameter) }, true)
    if (!known) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({}, true)
  }
}

const noColumns: MakeRow = () => ({})

function makeOf(columns: Column[]): MakeRow {
  return (fields) =>
    Object.fromEntries(
      columns.map(({ name, read }, at) => [name, fields[at] === null || !read ? fields[at] : read(fields[at]!)]),
    )
}

/**
 * As `makeOf`, written out as the literal of an object: rows of one fixed shape are made ten times faster, and become JSON
 * in two thirds of the time. Worth it for a statement that is asked again and again.
 */
function lastingMakeOf(columns: Column[]): MakeRow {
  const cells = columns.map(
    ({ name, read }, at) =>
      `${JSON.stringify(name)}: ${read ? `f[${at}] === null ? null : reads[${at}](f[${at}])` : `f[${at}]`}`,
  )
  return new Function('reads', `return (f) => ({ ${cells.join(', ')} })`)(columns.map(({ read }) => read))
}

const texts: number[] = [pg.types.builtins.TEXT, pg.types.builtins.VARCHAR]

function readerOf(client: pg.Client, type: number): Column['read'] {
  return texts.includes(type) ? undefined : client.getTypeParser(type, 'text')
}

/** A value as Postgres reads it in text form; bytes go as they are. */
function asParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(asElement).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function asElement(value: unknown): string {
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : asParameter(value)
  return text === null ? 'null' : `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`
}
