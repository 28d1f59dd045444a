import { migration } from '#db/migration.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Reads across all practices for the administrator: coaches and counts, never a practice's records.
  migration(
    'admin/0001-initial',
    /* sql */ `
-- A page of coaches, newest first, after the row (after_at, after_id). Null parameters don't filter.
create function list_platform_coaches(
  at timestamptz, coach bigint, term text, on_plan text, after_at timestamptz, after_id bigint,
  page_size bigint, skip bigint)
returns table (
  id bigint, email text, first_name text, last_name text, business_name text, plan text, on_trial boolean,
  created_at timestamptz, clients bigint, total bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with coaches as (
      select a.*, a.plan = 'free' and coalesce(a.trial_ends_at > at, false) as on_trial,
        effective_plan(a.plan, a.trial_ends_at, at) as current_plan
      from account a where a.removed_at is null and (coach is null or a.id = coach)
    ), page as (
      select c.*, count(*) over () as total from coaches c
      where (term is null or strpos(
          search_key(c.first_name || ' ' || c.last_name || ' ' || c.email || ' ' || coalesce(c.business_name, '')),
          search_key(term)) > 0)
        and (on_plan is null or c.current_plan = on_plan)
        and (after_id is null or (c.created_at, c.id) < (after_at, after_id))
      order by c.created_at desc, c.id desc limit page_size offset skip
    )
    select p.id, p.email, p.first_name, p.last_name, p.business_name, p.current_plan, p.on_trial, p.created_at,
      (select count(*) from client
        where client.coach_id = p.id and client.deleted_at is null and client.archived_at is null),
      p.total
    from page p order by p.created_at desc, p.id desc;
end $$;

-- Coaches, trials, coaches signed in since, and clients, by plan.
create function get_platform_stats(at timestamptz, since timestamptz)
returns table (plan text, coaches bigint, trials bigint, active bigint, clients bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with coach as (
      select a.id, a.last_sign_in_at, a.plan = 'free' and coalesce(a.trial_ends_at > at, false) as on_trial,
        effective_plan(a.plan, a.trial_ends_at, at) as current_plan
      from account a where a.removed_at is null
    ), client_count as (
      select coach_id, count(*) as count from client
      where deleted_at is null and archived_at is null group by coach_id
    )
    select c.current_plan, count(*), count(*) filter (where c.on_trial),
      count(*) filter (where c.last_sign_in_at >= since), coalesce(sum(n.count), 0)::bigint
    from coach c left join client_count n on n.coach_id = c.id group by 1;
end $$;

alter function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint)
  owner to practice_lookup;
alter function get_platform_stats(timestamptz, timestamptz) owner to practice_lookup;
revoke all on function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint),
  get_platform_stats(timestamptz, timestamptz) from public;
grant execute on function
  list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint),
  get_platform_stats(timestamptz, timestamptz) to practice_app;
`,
  ),
  // The audit log.
  migration(
    'admin/0002-audit-log',
    /* sql */ `
-- Whether the tenant of the transaction is an administrator: row level security shows only its own account.
create function is_administrator() returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (
    select 1 from account
    where id = nullif(current_setting('app.coach_id', true), '')::bigint and is_admin and removed_at is null)
$$;

create table audit_entry (
  id bigserial primary key,
  actor_id bigint not null,
  actor_email text not null,
  action text not null,
  target_id bigint not null,
  target_email text not null,
  before jsonb,
  after jsonb,
  ip_address text,
  created_at timestamptz(3) not null,
  constraint audit_entry_action_allowed check (action in ('coach_added', 'plan_changed', 'coach_removed')),
  constraint audit_entry_actor_email_length check (char_length(actor_email) <= 254),
  constraint audit_entry_target_email_length check (char_length(target_email) <= 254),
  constraint audit_entry_ip_address_length check (char_length(ip_address) <= 45)
);
alter table audit_entry enable row level security;
alter table audit_entry force row level security;
create policy audit_entry_read on audit_entry for select using (is_administrator());
create policy audit_entry_add on audit_entry for insert
  with check (is_administrator() and actor_id = nullif(current_setting('app.coach_id', true), '')::bigint);
`,
  ),
  // Administrators end the sessions of a coach.
  migration(
    'admin/0003-sign-out',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed
    check (action in ('coach_added', 'plan_changed', 'coach_removed', 'coach_signed_out'));
`,
  ),
  // The operator's changes of the administrator, and second factors that an administrator turns off.
  migration(
    'admin/0004-operator',
    /* sql */ `
-- Entries without an actor are the operator's.
alter table audit_entry
  alter column actor_id drop not null,
  alter column actor_email drop not null,
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'plan_changed', 'coach_removed',
    'coach_signed_out', 'second_factor_removed', 'administrator_added', 'administrator_removed'));
alter policy audit_entry_add on audit_entry to practice_app;
create policy audit_entry_add_operator on audit_entry for insert to practice_history with check (actor_id is null);
grant insert on audit_entry to practice_history;
grant usage on sequence audit_entry_id_seq to practice_history;

-- Only the database's owner changes who is an administrator.
create function record_administrator() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_entry (action, target_id, target_email, created_at)
    values (case when new.is_admin then 'administrator_added' else 'administrator_removed' end,
      new.id, new.email, clock_timestamp());
  return null;
end $$;
alter function record_administrator() owner to practice_history;
revoke all on function record_administrator() from public;
create trigger account_administrator after update of is_admin on account
  for each row when (old.is_admin is distinct from new.is_admin) execute function record_administrator('account');
`,
  ),
  // Which coaches have two-step sign-in.
  migration(
    'admin/0005-two-step-sign-in',
    /* sql */ `
drop function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint);
-- A page of coaches, newest first, after the row (after_at, after_id). Null parameters don't filter.
create function list_platform_coaches(
  at timestamptz, coach bigint, term text, on_plan text, after_at timestamptz, after_id bigint,
  page_size bigint, skip bigint)
returns table (
  id bigint, email text, first_name text, last_name text, business_name text, plan text, on_trial boolean,
  created_at timestamptz, clients bigint, two_step boolean, total bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with coaches as (
      select a.*, a.plan = 'free' and coalesce(a.trial_ends_at > at, false) as on_trial,
        effective_plan(a.plan, a.trial_ends_at, at) as current_plan
      from account a where a.removed_at is null and (coach is null or a.id = coach)
    ), page as (
      select c.*, count(*) over () as total from coaches c
      where (term is null or strpos(
          search_key(c.first_name || ' ' || c.last_name || ' ' || c.email || ' ' || coalesce(c.business_name, '')),
          search_key(term)) > 0)
        and (on_plan is null or c.current_plan = on_plan)
        and (after_id is null or (c.created_at, c.id) < (after_at, after_id))
      order by c.created_at desc, c.id desc limit page_size offset skip
    )
    select p.id, p.email, p.first_name, p.last_name, p.business_name, p.current_plan, p.on_trial, p.created_at,
      (select count(*) from client
        where client.coach_id = p.id and client.deleted_at is null and client.archived_at is null),
      exists (select 1 from authenticator_app f where f.coach_id = p.id and f.confirmed_at is not null),
      p.total
    from page p order by p.created_at desc, p.id desc;
end $$;
alter function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint)
  owner to practice_lookup;
revoke all on function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint)
  from public;
grant execute on function
  list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint) to practice_app;
`,
  ),
  // Entries of the administrator whom the process has signed.
  migration(
    'admin/0006-signed-actor',
    /* sql */ `
grant execute on function get_actor(bigint) to practice_app;
alter policy audit_entry_add on audit_entry
  with check (is_administrator() and actor_id = nullif(current_setting('app.coach_id', true), '')::bigint
    and actor_id = get_actor(actor_id));
`,
  ),
]
