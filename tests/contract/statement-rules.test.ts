import { expect, test } from 'vitest'
import { checkStatement } from '#tests/support/statement-rules.ts'

const tables = new Set(['account', 'client', 'purchase', 'search_content'])

test.each([
  ['a condition', 'select name from client where coach_id = $1 and id = $2'],
  [
    'a joined table',
    'select 1 from purchase p left join client c on c.coach_id = $1 and c.id = p.client_id where p.coach_id = $1',
  ],
  ['a subquery', 'select exists (select 1 from client where coach_id = $1) as done'],
  ['a union', '(select 1 from client where coach_id = $1) union all select 2 from client c where c.coach_id = $1'],
  [
    'a CTE',
    'with a as (select id from client where coach_id = $1) update purchase set notes = $2 from a where purchase.coach_id = $1',
  ],
  ['an account', 'select plan from account where id = $1'],
  ['rows with the coach', 'insert into client (coach_id, name) values ($1, $2), ($1, $3)'],
  [
    'an upsert',
    'insert into client (coach_id, id) values ($1, $2) on conflict (coach_id, id) do update set name = excluded.name',
  ],
  [
    'a statement of MikroORM',
    `select "c0".* from "client" as "c0" where "c0"."coach_id" = '7' and "c0"."id" = 8 for update`,
  ],
  ['no tenant table', `select nextval('account_id_seq') as id -- from client`],
])('%s is accepted', (_name, text) => {
  expect(checkStatement(text, tables)).toEqual([])
})

test.each([
  ['no condition', 'select name from client where id = $1', ['client']],
  [
    'no condition in a joined table',
    'select 1 from purchase p join client c on c.coach_id = p.coach_id where p.coach_id = $1',
    ['c'],
  ],
  [
    'no condition in a subquery',
    'select 1 from purchase where coach_id = $1 and exists (select 1 from client where id = 2)',
    ['client'],
  ],
  [
    'no condition in a CTE',
    'with a as (select id from client) delete from purchase using a where purchase.coach_id = $1',
    ['client'],
  ],
  ['no condition in a branch', 'select 1 from client where coach_id = $1 union select 1 from client', ['client']],
  ['an unqualified condition for two tables', 'select 1 from client c, purchase p where coach_id = $1', ['c', 'p']],
  ['a setting', `delete from client where coach_id = current_setting('app.coach_id')::bigint`, ['client']],
])('%s is reported', (_name, text, aliases) => {
  expect(checkStatement(text, tables)).toEqual(
    aliases.map((alias) => expect.stringContaining(`doesn't say "${alias}.coach_id = $n"`)),
  )
})

test.each([
  ['an insert of a select', 'insert into client (coach_id) select id from account where id = $1', 'use VALUES'],
  ['an insert without the coach', 'insert into client (name) values ($1)', 'without the coach'],
  ['an account without its id', 'update account set plan = $1', 'account.id = $n'],
  ['a select without columns', 'select exists (select from client where coach_id = $1)', 'select 1'],
])('%s is reported', (_name, text, finding) => {
  expect(checkStatement(text, tables)).toEqual([expect.stringContaining(finding)])
})
