import { nameRoles } from '#db/roles.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import type { Workload } from './load.ts'

const coaches = 10_000
const clientsEach = 10
/** As many as connections: a practice has four slots for reads at once. */
const administrators = 20

/** Adds 10,000 coaches with ten clients each to an empty database. The first ones are administrators. */
export async function fillPlatform(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    const tables = ['account', 'client', 'session']
    for (const table of tables)
      await owner.query(`alter table ${table} no force row level security, disable trigger user`)
    await owner.query(accountsSql, [coaches, administrators])
    await owner.query(clientsSql, [coaches, clientsEach])
    await owner.query(
      `insert into session (coach_id, token_hash, created_at, last_seen_at, expires_at)
        select n, sha256(convert_to('bench-admin-' || n, 'UTF8')), now(), now(), now() + interval '7 days'
        from generate_series(1, $1::int) as n`,
      [administrators],
    )
    for (const table of tables) await owner.query(`alter table ${table} force row level security, enable trigger user`)
    const { rows } = await owner.query<{ name: string }>('select current_database() as name')
    await owner.query(nameRoles(plainListSql, rows[0]!.name))
    await owner.query(`vacuum analyze ${tables.join(', ')}`)
  })
}

let index = 0
const requests = Array.from({ length: administrators }, (_, n) => {
  const headers = `Host: localhost\r\nCookie: session=bench-admin-${n + 1}\r\nAccept: */*`
  return Buffer.from(`GET /api/admin/coaches?limit=50 HTTP/1.1\r\n${headers}\r\n\r\n`)
})

export const coachList: Workload = {
  name: 'GET /api/admin/coaches?limit=50, of 10,000',
  status: 200,
  next: () => requests[index++ % requests.length]!,
}

const accountsSql = `
  insert into account (id, email, first_name, last_name, business_name, plan, subdomain, is_admin, email_verified_at,
    created_at, updated_at)
  select n, concat('coach', n, '@example.com'), 'Coach', concat('Number ', n), concat('Practice ', n),
    (array['free', 'pro', 'premium'])[1 + n % 3], concat('practice-', n), n <= $2::int, created, created, created
  from generate_series(1, $1::int) as n,
    lateral (select timestamptz '2025-01-01' + n * interval '1 minute' as created) as dates`

const clientsSql = `
  insert into client (coach_id, name, email, created_at, updated_at)
  select coach, concat('Client ', n), concat('client', n, '@example.com'), now(), now()
  from generate_series(1, $1::int) as coach, generate_series(1, $2::int) as n`

/** The baseline server's session look-up, which says whether the account is an administrator, and its list. */
const plainListSql = `
  create function baseline_session(token bytea) returns table (coach_id bigint, plan text, is_admin boolean)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query select a.id, a.plan, a.is_admin from session s join account a on a.id = s.coach_id
      where s.token_hash = token and s.expires_at > now() and a.removed_at is null;
  end $$;
  create function baseline_coaches(page_size int) returns table (
    id bigint, email text, first_name text, last_name text, business_name text, plan text, created_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query select a.id, a.email, a.first_name, a.last_name, a.business_name,
        effective_plan(a.plan, a.trial_ends_at, now()), a.created_at
      from account a where a.removed_at is null order by a.created_at desc, a.id desc limit page_size;
  end $$;
  alter function baseline_session(bytea) owner to practice_lookup;
  alter function baseline_coaches(int) owner to practice_lookup;
  revoke all on function baseline_session(bytea), baseline_coaches(int) from public;
  grant execute on function baseline_session(bytea), baseline_coaches(int) to practice_app`
