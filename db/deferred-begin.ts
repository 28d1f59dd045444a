import type pg from 'pg'
import { choosing } from './read-pool.ts'
import { together, type Answer, type Statement } from './pg-pipeline.ts'

const begin: Statement = { name: 'begin', text: 'begin' }
const empty: Answer = { command: '', rowCount: null, rows: [] }

/** Names of prepared statements by their text. */
const names = new Map<string, string>([[choosing(0).text, 'tenant']])

/** Has `text` prepared under its name on the connections of a fused pool: Kysely passes on nothing but the text. */
export function prepareAs(name: string, text: string): void {
  names.set(text, name)
}

/**
 * Makes the connections of a pool keep back `begin` and the choice of the tenant, and send them together with the first
 * statement: a write costs two round trips, not four. Nothing is lost by it: until then there is nothing to undo.
 */
export function fuseTransactions(pool: pg.Pool, { named }: { named: boolean }): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client)
    let kept: Statement[] = []
    Object.assign(client, { query })

    function query(config: unknown, values: unknown = [], ...rest: unknown[]): unknown {
      if (typeof config !== 'string' || !Array.isArray(values) || rest.length)
        return Reflect.apply(send, client, [config, values, ...rest])
      if (config === 'begin') return keep(begin)
      const statement: Statement = { name: named ? names.get(config) : undefined, text: config, values }
      if (kept.length && config === choosing(0).text) return keep(statement)
      const first = kept
      kept = []
      if (first.length && (config === 'commit' || config === 'rollback')) return Promise.resolve(empty)
      if (!first.length && statement.name === undefined) return send(config, values)
      return last(client, [...first, statement])
    }

    function keep(statement: Statement): Promise<Answer> {
      kept.push(named ? statement : { ...statement, name: undefined })
      return Promise.resolve(empty)
    }
  })
}

async function last(client: pg.Client, statements: Statement[]): Promise<Answer> {
  const answers = await together(client, statements)
  return answers.at(-1)!
}
