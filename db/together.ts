import pg from 'pg'

/** A statement that Postgres prepares once per connection under its name: one name, one text. Without a name, each time. */
export type Statement = { name?: string | undefined; text: string; values?: unknown[] | undefined }
export type Answer = { command: string; rowCount: number | null; rows: Row[] }

type Row = Record<string, unknown>
type Column = { name: string; /** Undefined: the text is the value. */ read: ((text: string) => unknown) | undefined }
type Prepared = { text: string; columns: Column[] }

/** What each connection has prepared, and the columns that it answers with. */
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
  const described: Column[][] = []
  let rows: Row[] = []
  let columns = columnsOf(0)
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
      columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(client, dataTypeID) }))
    },
    handleDataRow({ fields }: { fields: (string | null)[] }) {
      const row: Row = {}
      for (let at = 0; at < columns.length; at++) {
        const { name, read } = columns[at]!
        const field = fields[at]!
        row[name] = field === null || read === undefined ? field : read(field)
      }
      rows.push(row)
    },
    handleCommandComplete({ text }: { text: string }) {
      const [command = '', ...counts] = text.split(' ')
      answers.push({ command, rowCount: counts.length ? Number(counts.at(-1)) : null, rows })
      described.push(columns)
      rows = []
      columns = columnsOf(answers.length)
    },
    handleReadyForQuery() {
      if (failed) return
      statements.forEach(({ name, text }, at) => name !== undefined && prepared.set(name, { text, columns: described[at]! }))
      resolve(answers)
    },
    handleError(error: unknown) {
      failed = true
      // Which of them Postgres knows by now isn't certain: they are prepared anew.
      for (const { name } of statements) if (name !== undefined) prepared.delete(name)
      reject(error)
    },
  }

  function columnsOf(at: number): Column[] {
    const name = statements[at]?.name
    return (name === undefined ? undefined : prepared.get(name)?.columns) ?? []
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
