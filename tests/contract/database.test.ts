import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import {
  checkDatabaseName,
  checkServerVersion,
  describeConnectionError,
  getAppUrl,
  prepareDatabase,
} from '#db/migrate.ts'
import { ensureRoles, replaceFormerRoles, getRoles } from '#db/roles.ts'
import { createDatabaseSigner } from '#db/signatures.ts'
import { parseConfig } from '#tenants/config.ts'
import { testConfig } from '#tests/support/config.ts'
import { createDatabase, dropDatabaseAndRoles, getDatabaseName, withDatabaseName } from '#tests/support/database.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { findWeaknesses } from '#tests/support/row-security.ts'

const firstVersion = ['platform', 'crm', 'billing'].map((owner) => `${owner}/0001-initial`)
const prepare = (ownerUrl: string) => runtime.prepare({ ownerUrl, config: testConfig() })

async function withEmptyDatabase(work: (ownerUrl: string) => Promise<void>): Promise<void> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(inject('ownerUrl'), (db) => db.query(`create database ${name}`))
  try {
    await work(withDatabaseName(inject('ownerUrl'), name))
  } finally {
    await asOwner(inject('ownerUrl'), (db) => dropDatabaseAndRoles(db, name))
  }
}

describe('preparing a database', () => {
  let copy: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    copy = await createDatabase(inject('ownerUrl'))
  })
  afterAll(() => copy?.drop())

  test('again changes nothing, and answers the same address', async () => {
    const [first, second] = [await prepare(copy.ownerUrl), await prepare(copy.ownerUrl)]
    expect([first.migrated, second.migrated]).toEqual([[], []])
    expect(second.appUrl).toBe(first.appUrl)
  })

  test('gives queues that exist the settings of this code', async () => {
    const read = () => asOwner(copy.ownerUrl, (db) => db.query('select * from pgboss.queue order by name'))
    const before = (await read()).rows
    await asOwner(copy.ownerUrl, (db) => db.query('update pgboss.queue set retry_limit = 1, expire_seconds = 60'))
    await prepare(copy.ownerUrl)
    const settings = ({ name, retry_limit, expire_seconds }: Record<string, unknown>) => [
      name,
      retry_limit,
      expire_seconds,
    ]
    expect((await read()).rows.map(settings)).toEqual(before.map(settings))
  })

  test('by four processes at once, from nothing, does everything once', async () => {
    await withEmptyDatabase(async (ownerUrl) => {
      const prepared = await Promise.all(Array.from({ length: 4 }, () => prepare(ownerUrl)))
      expect(prepared.map(({ migrated }) => migrated.length).toSorted((a, b) => a - b)).toEqual([
        0,
        0,
        0,
        runtime.migrations.length,
      ])
      const done = await asOwner(ownerUrl, (db) => db.query('select name from schema_migration order by id'))
      expect(done.rows.map((row) => row.name)).toEqual(runtime.migrations.map((migration) => migration.name))
    })
  }, 60_000)

  test('of the first version keeps its rows, and its completed purchases become payments of the ledger', async () => {
    await withEmptyDatabase(async (ownerUrl) => {
      await prepareDatabase({
        ownerUrl,
        secretKeys: testConfig().secretKeys,
        entities: runtime.entities,
        migrations: runtime.migrations.filter(({ name }) => firstVersion.includes(name)),
        queues: [],
      })
      const createdAt = new Date('2026-01-05T09:00:00Z')
      await asOwner(ownerUrl, async (db) => {
        await db.query(`select set_config('app.coach_id', '1', false)`)
        await db.query(
          `insert into session (coach_id, token_hash, created_at, expires_at) values (1, '\\x01', $1, $1)`,
          [createdAt],
        )
        await db.query(
          `insert into client (coach_id, id, name, email, created_at, updated_at)
            values (1, 7, 'Ann', 'ann@example.com', $1, $1)`,
          [createdAt],
        )
        await db.query(
          `insert into product (coach_id, id, name, price, created_at, updated_at) values (1, 8, 'Package', 15000, $1, $1)`,
          [createdAt],
        )
        await db.query(
          `insert into purchase (coach_id, id, client_id, product_id, product_name, amount, status, payment_method,
            purchased_at, created_at, updated_at) values
            (1, 11, 7, 8, 'Package', 15000, 'completed', 'cash', $1, $1, $1), (1, 12, 7, 8, 'Package', 0, 'completed', 'cash', $1, $1, $1),
            (1, 13, 7, 8, 'Package', 15000, 'pending', 'cash', $1, $1, $1), (1, 14, 7, 8, 'Package', 9000, 'refunded', 'cash', $1, $1, $1)`,
          [createdAt],
        )
      })
      await prepare(ownerUrl)
      const [sessions, entries] = await asOwner(ownerUrl, async (db) => {
        await db.query(`select set_config('app.coach_id', '1', false)`)
        return [
          (await db.query('select last_seen_at from session')).rows,
          (
            await db.query(
              'select kind, amount, currency, method, occurred_at, client_id, purchase_id from ledger_entry',
            )
          ).rows,
        ]
      })
      expect(sessions).toEqual([{ last_seen_at: createdAt }])
      const payment = { kind: 'payment', amount: 15_000, currency: 'usd', method: 'cash', occurred_at: createdAt }
      expect(entries).toEqual([{ ...payment, client_id: 7, purchase_id: 11 }])
    })
  }, 60_000)

  test('that a newer version has migrated is refused, and stays as it is', async () => {
    await asOwner(copy.ownerUrl, (db) => db.query(`insert into schema_migration (name) values ('platform/9999-later')`))
    await expect(prepare(copy.ownerUrl)).rejects.toThrow(
      /^The database is newer than this version of the product \(it knows "platform\/9999-later"\)/,
    )
    await asOwner(copy.ownerUrl, (db) => db.query(`delete from schema_migration where name = 'platform/9999-later'`))
    expect((await prepare(copy.ownerUrl)).migrated).toEqual([])
  })

  test('stops when a migration has changed since it ran', async () => {
    const name = 'platform/0001-initial'
    const setChecksum = (checksum: string | null) =>
      asOwner(copy.ownerUrl, async (db) => {
        const { rows } = await db.query<{ checksum: string }>(
          `with before as (select checksum from schema_migration where name = $1)
          update schema_migration set checksum = $2 where name = $1 returning (select checksum from before) as checksum`,
          [name, checksum],
        )
        return rows[0]!.checksum
      })
    const original = await setChecksum('of an earlier text')
    await expect(prepare(copy.ownerUrl)).rejects.toThrow(
      'The migration "platform/0001-initial" has changed since it ran on this database. Restore it and add a new migration.',
    )
    // A killed process leaves no checksum: the next start stores it.
    await setChecksum(null)
    await prepare(copy.ownerUrl)
    expect(await setChecksum(original)).toBe(original)
  })

  test('restores the rights of the app after a start that was killed before it set them', async () => {
    const { app } = getRoles(getDatabaseName(copy.ownerUrl))
    const mayWrite = (column: string) =>
      asOwner(copy.ownerUrl, async (db) => {
        const { rows } = await db.query<{ allowed: boolean }>(
          `select has_column_privilege($1, 'account', $2, 'update') as allowed`,
          [app, column],
        )
        return rows[0]!.allowed
      })
    await asOwner(copy.ownerUrl, (db) =>
      db.query(`update schema_migration set checksum = null where name = 'platform/0004-database-rights';
        grant update on account to ${app}`),
    )
    expect(await mayWrite('is_admin')).toBe(true)
    await prepare(copy.ownerUrl)
    expect([await mayWrite('is_admin'), await mayWrite('first_name')]).toEqual([false, true])
  })

  test('stops on a database from before the first release', async () => {
    await asOwner(copy.ownerUrl, (db) => db.query(`insert into schema_migration (name) values ('house/0001-accounts')`))
    await expect(prepare(copy.ownerUrl)).rejects.toThrow('before the first release')
    await asOwner(copy.ownerUrl, (db) => db.query(`delete from schema_migration where name = 'house/0001-accounts'`))
  })

  test('keeps what a module left behind that is not there any more', async () => {
    await asOwner(copy.ownerUrl, (db) =>
      db.query(`insert into schema_migration (name) values ('removed/0001-initial')`),
    )
    expect((await prepare(copy.ownerUrl)).migrated).toEqual([])
    const kept = await asOwner(copy.ownerUrl, (db) =>
      db.query(`select 1 from schema_migration where name = 'removed/0001-initial'`),
    )
    expect(kept.rowCount).toBe(1)
  })

  test('of Postgres 15 is refused with one sentence', () => {
    expect(() => checkServerVersion(150_018)).toThrow(
      'Postgres 16 or newer is needed; DATABASE_URL leads to version 15.',
    )
    expect(() => checkServerVersion(160_000)).not.toThrow()
  })

  test('that refuses the serving role says where its password comes from', () => {
    const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' })
    expect(describeConnectionError(refused)).toBe("DATABASE_URL can't be used: the password is wrong.")
    expect(describeConnectionError(refused, 'APP_DATABASE_URL')).toContain(
      'without one in it, SECRET_KEY must be the one that npm run migrate had',
    )
  })

  test('whose name leaves no room for those of its roles is refused', () => {
    expect(() => checkDatabaseName('a'.repeat(56))).toThrow('the name of the database has more than 55 bytes.')
    expect(() => checkDatabaseName('a'.repeat(55))).not.toThrow()
  })

  test.each([
    ['a database that is not there', (url: string) => withDatabaseName(url, 'nowhere'), 'there is no such database'],
    ['a port where nothing answers', () => 'postgresql://somebody@127.0.0.1:9/practice', 'nothing answers there'],
    ['a host that is none', () => 'postgresql://somebody@nowhere.invalid/practice', 'there is no such host'],
  ])('at %s fails with one sentence', async (_what, address, reason) => {
    const failure = await prepare(address(inject('ownerUrl'))).catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'DatabaseError', message: `DATABASE_URL can't be used: ${reason}.` })
  })

  test.each(['mysql://localhost/practice', 'practice', 'http://localhost:5432', 'postgres:', '//localhost'])(
    'DATABASE_URL=%s is reported by its name',
    (value) => {
      expect(() => parseConfig({ DATABASE_URL: value })).toThrow(
        /^DATABASE_URL can't be used: it must be an address such as postgresql:/,
      )
    },
  )
})

describe('serving with APP_DATABASE_URL alone', () => {
  const config = testConfig()
  const lastMigration = runtime.migrations.at(-1)!.name
  let copy: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    copy = await createDatabase(inject('ownerUrl'))
  })
  afterAll(() => copy?.drop())
  const find = (url: string) => runtime.findDatabase({ url, config })

  test('derives what the URL leaves out: the role and its password', async () => {
    const { password } = new URL(copy.appUrl)
    const login = getRoles(getDatabaseName(copy.ownerUrl)).login
    const withUser = copy.appUrl.replace(`:${password}@`, '@')
    const withoutUser = copy.appUrl.replace(`${login}:${password}@`, '')
    expect([withUser, withoutUser]).not.toContain(copy.appUrl)
    for (const url of [copy.appUrl, withUser, withoutUser]) expect(await find(url)).toBe(copy.appUrl)
    expect(getAppUrl('postgresql://db.example.com:5432/practice?sslmode=verify-full', 'secret')).toMatch(
      /^postgresql:\/\/practice_login:[0-9a-f]{64}@db\.example\.com:5432\/practice\?sslmode=verify-full$/,
    )
    expect(getAppUrl('postgresql://own:word@db.example.com/practice', 'secret')).toContain('//own:word@')
  })

  test.each([
    ['lacks a migration', `delete from schema_migration where name = '${lastMigration}' returning *`, "isn't migrated"],
    ['lacks a queue', `delete from pgboss.queue where name = 'mail.reset' returning *`, "isn't migrated"],
    ['shows clients in the portal a table', 'drop policy client_view_client on client_view', "isn't migrated"],
    ['has a former rule for clients', `comment on policy client_client on client is 'former'`, "isn't migrated"],
    ['is newer', `insert into schema_migration (name) values ('platform/9999-later')`, 'is newer than this version'],
    [
      'has another migration by the same name',
      `update schema_migration set checksum = 'x' where name = '${lastMigration}'`,
      'has changed since it ran',
    ],
  ])('refuses a database that %s', async (_what, change, sentence) => {
    const other = await createDatabase(inject('ownerUrl'))
    try {
      await asOwner(other.ownerUrl, (db) => db.query(change))
      const failure = await find(other.appUrl).catch((error: Error) => error)
      expect(failure).toMatchObject({ name: 'DatabaseError', message: expect.stringContaining(sentence) })
    } finally {
      await other.drop()
    }
  })

  test('takes a database whose rules for clients the next migration run has brought back', async () => {
    const other = await createDatabase(inject('ownerUrl'))
    try {
      const policies = () =>
        asOwner(other.ownerUrl, async (db) => {
          const { rows } = await db.query(
            `select polname, pg_get_expr(polqual, polrelid) from pg_policy where not polpermissive order by 1`,
          )
          return rows
        })
      const before = await policies()
      await asOwner(other.ownerUrl, (db) =>
        db.query(`drop policy client_view_client on client_view;
          alter policy client_client on client using (true);
          comment on policy client_client on client is 'former'`),
      )
      await prepare(other.ownerUrl)
      expect(await policies()).toEqual(before)
      expect(await find(other.appUrl)).toBe(other.appUrl)
    } finally {
      await other.drop()
    }
  })

  test('refuses an empty database, the owner, and a role that may not connect', async () => {
    await withEmptyDatabase(async (ownerUrl) => {
      await expect(find(ownerUrl)).rejects.toThrow("The database isn't migrated to this version of the product: run")
      const owner = new URL(copy.ownerUrl.replace('@/', '@socket/')).username
      await expect(find(copy.ownerUrl.replace(`${owner}@`, `${owner}:x@`))).rejects.toThrow(
        `APP_DATABASE_URL can't be used: the role ${owner} owns the tables. Use the serving role.`,
      )
      await prepare(ownerUrl)
      await expect(find(withDatabaseName(copy.appUrl, getDatabaseName(ownerUrl)))).rejects.toThrow(
        "APP_DATABASE_URL can't be used: the user may not connect to this database.",
      )
    })
  })
})

/** Whether the role of `appUrl` may connect to the database of `ownerUrl`: 'yes', or the SQLSTATE. */
async function canConnect(appUrl: string, ownerUrl: string): Promise<string> {
  return asOwner(withDatabaseName(appUrl, getDatabaseName(ownerUrl)), async () => 'yes').catch(
    (error: pg.DatabaseError) => error.code!,
  )
}

describe('two installations in one cluster', () => {
  test('have roles of their own, and none connects to the other', async () => {
    const [first, second] = [await createDatabase(inject('ownerUrl')), await createDatabase(inject('ownerUrl'))]
    try {
      expect(await canConnect(first.appUrl, first.ownerUrl)).toBe('yes')
      expect(await canConnect(first.appUrl, second.ownerUrl)).toBe('42501')
      expect(await canConnect(second.appUrl, first.ownerUrl)).toBe('42501')
      // Nothing of the template that it was copied from.
      const { rows } = await asOwner(second.ownerUrl, (db) =>
        db.query<{ name: string }>(
          `select distinct rolname as name from pg_roles r join (
            select grantee as role from pg_class, aclexplode(relacl)
            union all select unnest(polroles) from pg_policy
            union all select proowner from pg_proc
            union all select grantee from pg_proc, aclexplode(proacl)
            union all select grantee from pg_namespace, aclexplode(nspacl)
            union all select grantee from pg_attribute, aclexplode(attacl)) used on used.role = r.oid
          where rolname ~ '_(app|lookup|history|login)$' order by 1`,
        ),
      )
      const { app, lookup, history } = getRoles(getDatabaseName(second.ownerUrl))
      expect(rows.map(({ name }) => name)).toEqual([app, history, lookup])
    } finally {
      await first.drop()
      await second.drop()
    }
  })

  test('may have different owners', async () => {
    const name = `test_${randomBytes(6).toString('hex')}`
    const asSuperuser = inject('ownerUrl').replace(/\/\/[^@]*@/, '//postgres@')
    const first = await createDatabase(inject('ownerUrl'))
    await asOwner(asSuperuser, async (db) => {
      await db.query(`create role ${name}_owner login createrole`)
      await db.query(`create database ${name} owner ${name}_owner`)
    })
    const ownerUrl = withDatabaseName(asSuperuser.replace('postgres@', `${name}_owner@`), name)
    try {
      const { appUrl, migrated } = await prepare(ownerUrl)
      expect(migrated).toHaveLength(runtime.migrations.length)
      expect(await canConnect(appUrl, ownerUrl)).toBe('yes')
      expect(await canConnect(appUrl, first.ownerUrl)).toBe('42501')
      expect(await canConnect(ownerUrl, first.ownerUrl)).toBe('42501')
    } finally {
      await first.drop()
      await asOwner(asSuperuser, async (db) => {
        await dropDatabaseAndRoles(db, name)
        await db.query(`drop role ${name}_owner`)
      })
    }
  })

  test('of which one was shared before get roles of their own at the next start', async () => {
    const shared = await createDatabase(inject('ownerUrl'))
    const name = getDatabaseName(shared.ownerUrl)
    const former = { ...getRoles(`${name}_former`), login: getRoles(name).login }
    try {
      await asOwner(shared.ownerUrl, async (db) => {
        await ensureRoles(db, former, 'a password')
        await replaceFormerRoles(db, former)
      })
      const { appUrl, migrated } = await prepare(shared.ownerUrl)
      expect([migrated, await canConnect(appUrl, shared.ownerUrl)]).toEqual([[], 'yes'])
      expect(await asOwner(shared.ownerUrl, findWeaknesses)).toEqual([])
      const { rows } = await asOwner(shared.ownerUrl, (db) =>
        db.query(
          `select pg_has_role($1, $2, 'member') as "isMember", has_table_privilege($2, 'client', 'select') as "canRead",
            has_database_privilege($2, current_database(), 'connect') as "canConnect"`,
          [former.login, former.app],
        ),
      )
      expect(rows).toEqual([{ isMember: false, canRead: false, canConnect: false }])
    } finally {
      await shared.drop()
      await asOwner(inject('ownerUrl'), (db) =>
        db.query(`drop role ${former.app}, ${former.lookup}, ${former.history}`),
      )
    }
  })
})

describe('the role that serves', () => {
  test('has a password that follows the secret, and no way in without it', async () => {
    const copy = await createDatabase(inject('ownerUrl'))
    try {
      const url = new URL(copy.appUrl.replace('@/', '@socket/'))
      expect(decodeURIComponent(url.password)).toMatch(/^[0-9a-f]{64}$/)
      const { appUrl } = await runtime.prepare({
        ownerUrl: copy.ownerUrl,
        config: testConfig({ SECRET_KEY: 'another key for tests, and a longer one' }),
      })
      expect(appUrl).not.toBe(copy.appUrl)
      const { app, lookup } = getRoles(getDatabaseName(copy.ownerUrl))
      const { rows } = await asOwner(copy.ownerUrl, (db) =>
        db.query(`select rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname = any($1)`, [[app, lookup]]),
      )
      expect(rows).toEqual(
        Array.from({ length: 2 }, () => ({ rolcanlogin: false, rolsuper: false, rolbypassrls: false })),
      )
    } finally {
      await copy.drop()
    }
  })

  test('makes no temporary tables, and nobody else may connect', async () => {
    const copy = await createDatabase(inject('ownerUrl'))
    try {
      const create = asOwner(copy.appUrl, (db) => db.query('create temporary table note (id int)'))
      await expect(create).rejects.toMatchObject({ code: '42501' })
      const { rows } = await asOwner(copy.ownerUrl, (db) =>
        db.query(`select has_database_privilege('public', current_database(), 'connect') as connects`),
      )
      expect(rows).toEqual([{ connects: false }])
    } finally {
      await copy.drop()
    }
  })

  test('gets its connections replaced when the server drops them', async () => {
    const copy = await createDatabase(inject('ownerUrl'))
    const platform = await runtime.open({ appUrl: copy.appUrl, config: testConfig() })
    try {
      const ask = () => platform.readPool.queryGlobal<{ one: number }>({ name: 'test.one', text: 'select 1 as one' })
      await Promise.all(Array.from({ length: 10 }, ask))
      const dropped = await asOwner(copy.appUrl, (db) =>
        db.query(
          'select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()',
        ),
      )
      expect(dropped.rowCount).toBeGreaterThan(0)
      // At worst those fail that were on their way; nobody after them.
      await Promise.allSettled(Array.from({ length: 20 }, ask))
      expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => [{ one: 1 }]))
    } finally {
      await platform.close()
      await copy.drop()
    }
  })
})

describe('what the tables themselves refuse', () => {
  const attempts: [what: string, statement: string][] = [
    ['a role that there is not', `update account set role = 'root'`],
    ['a color that is none', `update account set primary_color = 'red'`],
    ['a subdomain with capitals', `update account set subdomain = 'ABC'`],
    ['an address that is too long', `update account set email = repeat('a', 255)`],
    [
      'a client without a name',
      `insert into client (coach_id, name, email, created_at, updated_at) values (1, '', 'a@example.com', now(), now())`,
    ],
    [
      'progress above 100',
      `insert into client (coach_id, name, email, progress, created_at, updated_at) values (1, 'A', 'a@example.com', 101, now(), now())`,
    ],
    [
      'a status that there is not',
      `insert into client (coach_id, name, email, status, created_at, updated_at) values (1, 'A', 'a@example.com', 'unknown', now(), now())`,
    ],
    [
      'notes that are too long',
      `insert into client (coach_id, name, email, notes, created_at, updated_at) values (1, 'A', 'a@example.com', repeat('a', 50001), now(), now())`,
    ],
    [
      'an activity of a client that is not the coach’s',
      `insert into activity (coach_id, client_id, type, title, created_at) values (1, 999999, 'client_added', 'A', now())`,
    ],
  ]
  let copy: Awaited<ReturnType<typeof createDatabase>>
  let app: pg.Client
  beforeAll(async () => {
    copy = await createDatabase(inject('ownerUrl'))
    app = new pg.Client({ connectionString: copy.appUrl })
    await app.connect()
    const { signActor } = createDatabaseSigner(testConfig().secretKeys[0]!)
    await app.query(`select set_config('app.coach_id', '1', false), set_config('app.actor', $1, false)`, [
      signActor(1, null),
    ])
    await app.query(
      `insert into account (id, email, first_name, last_name, created_at, updated_at) values (1, 'a@example.com', 'A', 'B', now(), now())`,
    )
  })
  afterAll(async () => {
    await app?.end()
    await copy?.drop()
  })

  test.each(attempts)('%s', async (_what, statement) => {
    const code = await app.query(statement).then(
      () => 'taken',
      (error: pg.DatabaseError) => error.code,
    )
    expect(['23514', '23503']).toContain(code)
  })
})
