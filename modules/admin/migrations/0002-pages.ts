import { migration } from '#db/migration.ts'

/**
 * Coaches page by page, and the figures added up by the database: `platform_coaches` answered all of them each time, and goes
 * once no server that asks it is left.
 */
export const pages = migration(
  'admin/0002-pages',
  /* sql */ `
create function platform_coach_page(at timestamptz, wanted bigint, term text, on_plan text, after_at timestamptz, after_id bigint, many bigint, skip bigint)
returns table (id bigint, email text, first_name text, last_name text, business_name text, plan text, on_trial boolean, created_at timestamptz, clients bigint, found bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with coach as (
      select a.*, a.plan = 'free' and coalesce(a.trial_ends_at > at, false) as trying from account a where a.removed_at is null and (wanted is null or a.id = wanted)
    ), page as (
      select c.*, count(*) over () as found from coach c
      where (term is null or strpos(search_key(c.first_name || ' ' || c.last_name || ' ' || c.email || ' ' || coalesce(c.business_name, '')), search_key(term)) > 0)
        and (on_plan is null or case when c.trying then 'pro' else c.plan end = on_plan)
        and (after_id is null or (c.created_at, c.id) < (after_at, after_id))
      order by c.created_at desc, c.id desc limit many offset skip
    )
    select p.id, p.email, p.first_name, p.last_name, p.business_name, case when p.trying then 'pro' else p.plan end, p.trying, p.created_at,
      (select count(*) from client where client.coach_id = p.id and client.deleted_at is null and client.archived_at is null), p.found
    from page p order by p.created_at desc, p.id desc;
end $$;

create function platform_figures(at timestamptz, since timestamptz) returns table (plan text, coaches bigint, trials bigint, active bigint, clients bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with coach as (
      select a.id, a.last_sign_in_at, a.plan = 'free' and coalesce(a.trial_ends_at > at, false) as trying, a.plan as paid from account a where a.removed_at is null
    ), held as (
      select coach_id, count(*) as count from client where deleted_at is null and archived_at is null group by coach_id
    )
    select case when c.trying then 'pro' else c.paid end, count(*), count(*) filter (where c.trying), count(*) filter (where c.last_sign_in_at >= since), coalesce(sum(h.count), 0)::bigint
    from coach c left join held h on h.coach_id = c.id group by 1;
end $$;

alter function platform_coach_page(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint) owner to practice_lookup;
alter function platform_figures(timestamptz, timestamptz) owner to practice_lookup;
revoke all on function platform_coach_page(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint), platform_figures(timestamptz, timestamptz) from public;
grant execute on function platform_coach_page(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint), platform_figures(timestamptz, timestamptz) to practice_app;
`,
)
