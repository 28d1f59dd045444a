import type pg from 'pg'

const filesEach = 60

/**
 * Adds 60 files and links to each practice unless there are some: a third are links, every other one is of a client.
 */
export async function prepareFiles(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query('select from resource limit 1')
  if (rows.length) return
  await owner.query(storedFilesSql, [filesEach])
  await owner.query(resourcesSql, [filesEach])
  await owner.query('analyze stored_file, resource')
}

const storedFilesSql = `
  insert into stored_file (coach_id, key, size, content_type, kind, record_id, created_at)
  select id, id || '/' || md5(id || '-' || n), n * 12345, 'application/pdf', 'resource', n, created_at
  from account, generate_series(1, $1::int) as n where n % 3 > 0`

const resourcesSql = `
  insert into resource (coach_id, name, type, client_id, tags, url, stored_file_id, size, content_type, created_at,
    updated_at)
  select a.id, 'Worksheet ' || n, case when f.id is null then 'link' else 'document' end,
    case when n % 2 = 0 then (select min(c.id) from client c where c.coach_id = a.id) end,
    case when n % 4 = 0 then array['first session', 'habit'] else '{}'::text[] end,
    case when f.id is null then 'https://example.com/articles/' || n end, f.id, f.size, f.content_type, created, created
  from account a cross join generate_series(1, $1::int) as n
    left join stored_file f on f.coach_id = a.id and f.kind = 'resource' and f.record_id = n,
    lateral (select timestamptz '2026-01-01' + n * interval '3 days' as created) as dates`
