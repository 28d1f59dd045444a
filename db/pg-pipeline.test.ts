import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createPipelinePool, deferStatement, nameStatement, PipelineClient, statementChannel } from './pg-pipeline.ts'
import { isoTimestamp, openReadPool, setTenant, type ReadPool } from './read-pool.ts'

let client: PipelineClient
beforeAll(async () => {
  client = new PipelineClient({ connectionString: inject('ownerUrl') })
  await client.connect()
  await client.executePipeline([{ text: 'create temporary table note (id int primary key, body text)' }])
})
beforeEach(() => client.executePipeline([{ text: 'delete from note' }]))
afterAll(() => client.end())

const insert = (id: number) => ({ name: 'insert', text: 'insert into note (id) values ($1)', values: [id] })
const count = { name: 'count', text: 'select count(*) as notes from note' }
const getCoach = { text: `select nullif(current_setting('app.coach_id', true), '') as coach` }

describe('a pipeline', () => {
  test('returns the results in order, each with its rows', async () => {
    const results = await client.executePipeline([insert(1), insert(2), count])
    expect(results.map(({ command, rowCount }) => [command, rowCount])).toEqual([
      ['INSERT', 1],
      ['INSERT', 1],
      ['SELECT', 1],
    ])
    expect(results[2]!.rows).toEqual([{ notes: 2 }])
  })

  test('is one transaction: a failure undoes all of it', async () => {
    await expect(client.executePipeline([insert(1), insert(1), count])).rejects.toMatchObject({ code: '23505' })
    expect((await client.executePipeline([count]))[0]!.rows).toEqual([{ notes: 0 }])
  })

  test('can be sent again on the same connection after a failure', async () => {
    const divide = (by: number) => ({ name: 'half', text: 'select 1 / $1::int as half', values: [by] })
    await expect(client.executePipeline([divide(0)])).rejects.toMatchObject({ code: '22012' })
    expect((await client.executePipeline([divide(1)]))[0]!.rows).toEqual([{ half: 1 }])
  })

  test('keeps a local setting until its end', async () => {
    expect((await client.executePipeline([setTenant(7, ''), getCoach]))[1]!.rows).toEqual([{ coach: '7' }])
    expect((await client.executePipeline([getCoach]))[0]!.rows).toEqual([{ coach: null }])
  })

  test('rejects a second text under the same name', async () => {
    await client.executePipeline([count])
    await expect(client.executePipeline([{ ...count, text: 'select 1' }])).rejects.toThrow('two different texts')
  })

  test('tells statements apart whose names are equal in the 63 characters that Postgres keeps', async () => {
    const statements = ['first', 'second'].map((end) => ({
      name: `${'long-'.repeat(13)}${end}`,
      text: `select '${end}' as name`,
    }))
    const readNames = async () => {
      const results = await client.executePipeline([...statements, ...statements])
      return results.map(({ rows }) => rows[0]!.name)
    }
    expect(await readNames()).toEqual(['first', 'second', 'first', 'second'])
    expect(await readNames()).toEqual(['first', 'second', 'first', 'second'])
  })

  test('gives a repeated statement its columns again', async () => {
    const rows = async () =>
      (await client.executePipeline([insert(1), count]).then(() => client.executePipeline([count])))[0]!.rows
    expect(await rows()).toEqual([{ notes: 1 }])
    await client.executePipeline([{ text: 'delete from note' }])
    expect(await rows()).toEqual([{ notes: 1 }])
  })

  test.each([
    ['2026-03-10T14:00:00Z', '2026-03-10T14:00:00.000Z'],
    ['2026-03-10T14:00:00.5Z', '2026-03-10T14:00:00.500Z'],
    ['2026-03-10T14:00:00.123456+02', '2026-03-10T12:00:00.123Z'],
    ['0950-01-01T00:00:00Z', '0950-01-01T00:00:00.000Z'],
    ['12026-01-01T00:00:00Z', '12026-01-01T00:00:00.000Z'],
    [null, null],
  ])('writes the instant %s as the API does', async (instant, written) => {
    const text = `select ${isoTimestamp('$1::timestamptz')} as at`
    for (const name of ['instant', undefined])
      expect((await client.executePipeline([{ name, text, values: [instant] }]))[0]!.rows).toEqual([{ at: written }])
    expect(((await client.query(text, [instant])) as { rows: object[] }).rows).toEqual([{ at: written }])
  })

  test('keeps values as they are', async () => {
    const at = new Date('2026-03-10T14:00:00.123Z')
    const texts = ['plain', 'a "quoted" one', 'back\\slash', '{brace},comma', 'Łódź']
    const [result] = await client.executePipeline([
      {
        text: `select $1::timestamptz as at, $2::text[] as texts, $3::bytea as bytes, $4::text as nothing,
          $5::bigint as id, $6::boolean as yes`,
        values: [at, texts, Buffer.from([0, 255]), null, 2 ** 40, true],
      },
    ])
    expect(result!.rows).toEqual([{ at, texts, bytes: Buffer.from([0, 255]), nothing: null, id: 2 ** 40, yes: true }])
  })

  test('publishes the texts of its statements', async () => {
    const texts: string[] = []
    const record = (message: unknown) => texts.push((message as { text: string }).text)
    statementChannel.subscribe(record)
    await client.executePipeline([insert(1), count])
    statementChannel.unsubscribe(record)
    expect(texts).toEqual([insert(1).text, count.text])
  })
})

test('a pipeline pool sends begin and the tenant with the first statement, and rolls them back with it', async () => {
  const pool = createPipelinePool({ connectionString: inject('ownerUrl'), max: 1, namedStatements: true })
  nameStatement('test.get-coach', getCoach.text)
  const connection = await pool.connect()
  const currentCoach = async () => (await connection.query(getCoach.text, [])).rows

  await connection.query('begin', [])
  await connection.query(setTenant(7, '').text, setTenant(7, '').values)
  expect(connection.getTransactionStatus()).not.toBe('T')
  expect(await currentCoach()).toEqual([{ coach: '7' }])
  expect(connection.getTransactionStatus()).toBe('T')
  await connection.query('rollback', [])
  expect(await currentCoach()).toEqual([{ coach: null }])

  await connection.query('begin', [])
  await connection.query(setTenant(7, '').text, setTenant(7, '').values)
  await connection.query('commit', [])
  expect(await currentCoach()).toEqual([{ coach: null }])
  connection.release()
  await pool.end()
})

test('a pipeline pool keeps a connection while nobody uses it, and limits the silence of those in use', async () => {
  const pool = createPipelinePool({ connectionString: inject('ownerUrl'), namedStatements: true, idleTimeoutMillis: 1 })
  const used = await Promise.all([pool.connect(), pool.connect()])
  const timeouts = () => used.map((one) => ((one as unknown as PipelineClient).connection.stream as Socket).timeout)
  expect(timeouts()).toEqual([10_000, 10_000])
  const removed = once(pool, 'remove')
  for (const connection of used) connection.release()
  expect(timeouts()).toEqual([0, 0])
  await removed
  expect(pool.totalCount).toBe(1)
  const ended = pool.end()
  expect(timeouts()).toContain(10_000)
  await ended
})

describe('a transaction of a pipeline pool', () => {
  const record = { name: 'test.record', text: 'insert into record (id) values ($1)' }
  const ids = 'select coalesce(array_agg(id order by id), $1) as ids from record'
  let pool: ReturnType<typeof createPipelinePool>
  beforeAll(async () => {
    pool = createPipelinePool({ connectionString: inject('ownerUrl'), max: 1, namedStatements: true })
    await pool.query('create temporary table record (id int primary key)')
    deferStatement(record.name, record.text)
  })
  beforeEach(() => pool.query('delete from record'))
  afterAll(() => pool.end())

  /** Runs `work` as one transaction. Returns the ids of the records after it. */
  async function inTransaction(
    work: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>,
  ) {
    const connection = await pool.connect()
    try {
      await connection.query('begin', [])
      await work((text, values) => connection.query(text, values))
      await connection.query('commit', [])
    } catch {
      await connection.query('rollback', [])
    }
    connection.release()
    return (await pool.query<{ ids: number[] }>('select id from record order by id')).rows
  }

  test('sends a deferred statement before the next one, which sees it', async () => {
    let seen: unknown
    await inTransaction(async (query) => {
      await query(record.text, [1])
      seen = await query(ids, [[]])
    })
    expect(seen).toMatchObject({ rows: [{ ids: [1] }] })
  })

  test('sends deferred statements with the commit', async () => {
    const rows = await inTransaction(async (query) => {
      await query(record.text, [1])
      await query(record.text, [2])
    })
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('commits nothing when a deferred statement fails, or the work does', async () => {
    const repeat = inTransaction(async (query) => {
      await query(record.text, [1])
      await query(ids, [[]])
      await query(record.text, [1])
    })
    expect(await repeat).toEqual([])
    const failing = inTransaction(async (query) => {
      await query(ids, [[]])
      await query(record.text, [1])
      throw new Error('refused')
    })
    expect(await failing).toEqual([])
  })

  test('gives each statement of the same moment its own rows', async () => {
    let seen: unknown
    await inTransaction(async (query) => {
      seen = await Promise.all([query('select $1::int as id', [1]), query('select $1::int as id', [2])])
    })
    expect(seen).toMatchObject([{ rows: [{ id: 1 }] }, { rows: [{ id: 2 }] }])
  })
})

describe('a read pool', () => {
  let readPool: ReadPool
  beforeAll(() => {
    readPool = openReadPool(inject('ownerUrl'))
  })
  afterAll(() => readPool.close())

  test('runs the others when one global query of the same moment fails', async () => {
    const results = await Promise.allSettled(
      [0, 1, 2].map((by) =>
        readPool.queryGlobal<{ half: number }>({ name: 'test.half', text: 'select 2 / $1::int as half', values: [by] }),
      ),
    )
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value[0]!.half : 'failed'))).toEqual([
      'failed',
      2,
      1,
    ])
  })

  test('runs the reads of a tenant in one transaction, which ends with them', async () => {
    const isOpen = { name: 'test.open', text: 'select pg_current_xact_id_if_assigned() is null as "isReadOnly"' }
    expect(await readPool.queryAsTenant(7, [{ name: 'test.coach', ...getCoach }, isOpen])).toEqual([
      [{ coach: '7' }],
      [{ isReadOnly: true }],
    ])
    expect(await readPool.queryGlobal({ name: 'test.coach', ...getCoach })).toEqual([{ coach: null }])
  })

  test('waits for the disk unless the statement need not be durable', async () => {
    const query = { name: 'test.commit', text: `select current_setting('synchronous_commit') as mode` }
    expect(await readPool.queryGlobal(query, { durable: false })).toEqual([{ mode: 'off' }])
    expect(await readPool.queryGlobal(query)).toEqual([{ mode: 'on' }])
  })

  test('rejects writes as a tenant', async () => {
    const write = { name: 'test.write', text: 'create table written (id int)' }
    await expect(readPool.queryAsTenant(1, [write])).rejects.toMatchObject({ code: '25006' })
  })
})
