import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { fuseTransactions, prepareAs } from './deferred-begin.ts'
import { choosing, openReads } from './read-pool.ts'
import { together } from './pg-pipeline.ts'

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('ownerUrl') })
  await client.connect()
  await client.query('create temporary table note (id int primary key, body text)')
})
beforeEach(() => client.query('delete from note'))
afterAll(() => client.end())

const insert = (id: number) => ({ name: 'insert', text: 'insert into note (id) values ($1)', values: [id] })
const count = { name: 'count', text: 'select count(*) as notes from note' }
const coach = { text: `select nullif(current_setting('app.coach_id', true), '') as coach` }

describe('statements sent together', () => {
  test('are answered in order, each with its rows', async () => {
    const answers = await together(client, [insert(1), insert(2), count])
    expect(answers.map(({ command, rowCount }) => [command, rowCount])).toEqual([
      ['INSERT', 1],
      ['INSERT', 1],
      ['SELECT', 1],
    ])
    expect(answers[2]!.rows).toEqual([{ notes: 2 }])
  })

  test('are one transaction: nothing of them stays when one fails', async () => {
    await expect(together(client, [insert(1), insert(1), count])).rejects.toMatchObject({ code: '23505' })
    expect((await together(client, [count]))[0]!.rows).toEqual([{ notes: 0 }])
  })

  test('that failed can be sent again on the same connection', async () => {
    await expect(
      together(client, [{ name: 'half', text: 'select 1 / $1::int as half', values: [0] }]),
    ).rejects.toMatchObject({ code: '22012' })
    expect(
      (await together(client, [{ name: 'half', text: 'select 1 / $1::int as half', values: [1] }]))[0]!.rows,
    ).toEqual([{ half: 1 }])
  })

  test('keep a local setting to their end and no longer', async () => {
    expect((await together(client, [choosing(7), coach]))[1]!.rows).toEqual([{ coach: '7' }])
    expect((await together(client, [coach]))[0]!.rows).toEqual([{ coach: null }])
  })

  test('have one text under one name', async () => {
    await together(client, [count])
    await expect(together(client, [{ ...count, text: 'select 1' }])).rejects.toThrow('two texts')
  })

  test('take and give values as they are', async () => {
    const at = new Date('2026-03-10T14:00:00.123Z')
    const words = ['plain', 'a "quoted" one', 'back\\slash', '{brace},comma', 'Łódź']
    const [answer] = await together(client, [
      {
        text: 'select $1::timestamptz as at, $2::text[] as words, $3::bytea as bytes, $4::text as nothing, $5::bigint as id, $6::boolean as yes',
        values: [at, words, Buffer.from([0, 255]), null, 2 ** 40, true],
      },
    ])
    expect(answer!.rows).toEqual([{ at, words, bytes: Buffer.from([0, 255]), nothing: null, id: 2 ** 40, yes: true }])
  })
})

describe('a fused pool', () => {
  test('sends begin and the tenant with the first statement, and undoes them with it', async () => {
    const pool = new pg.Pool({ connectionString: inject('ownerUrl'), max: 1 })
    fuseTransactions(pool, { named: true })
    prepareAs('fused.coach', coach.text)
    const lent = await pool.connect()
    const coachNow = async () => (await lent.query(coach.text, [])).rows

    await lent.query('begin', [])
    await lent.query(choosing(7).text, choosing(7).values)
    expect(lent.getTransactionStatus()).not.toBe('T')
    expect(await coachNow()).toEqual([{ coach: '7' }])
    expect(lent.getTransactionStatus()).toBe('T')
    await lent.query('rollback', [])
    expect(await coachNow()).toEqual([{ coach: null }])

    await lent.query('begin', [])
    await lent.query(choosing(7).text, choosing(7).values)
    await lent.query('commit', [])
    expect(await coachNow()).toEqual([{ coach: null }])
    lent.release()
    await pool.end()
  })
})

test('a look that is refused takes none of its moment with it', async () => {
  const reads = openReads(inject('ownerUrl'))
  const looks = await Promise.allSettled(
    [0, 1, 2].map((by) =>
      reads.look<{ half: number }>({ name: 'look.half', text: 'select 2 / $1::int as half', values: [by] }),
    ),
  )
  expect(looks.map((look) => (look.status === 'fulfilled' ? look.value[0]!.half : 'refused'))).toEqual([
    'refused',
    2,
    1,
  ])
  await reads.close()
})

test('a reading transaction writes nothing', async () => {
  const reads = openReads(inject('ownerUrl'))
  await expect(reads.asTenant(1, [{ name: 'write', text: 'create table written (id int)' }])).rejects.toMatchObject({
    code: '25006',
  })
  await reads.close()
})
