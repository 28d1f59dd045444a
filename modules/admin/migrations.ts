import { migration } from '#db/migration.ts'
import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'
import { isCoach, isSignedAdministrator } from './policies.ts'

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
  // The state of coaches, removed ones too, and the actions that invite them again and take them back.
  migration(
    'admin/0007-coach-states',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_removed', 'coach_restored', 'coach_signed_out', 'second_factor_removed', 'administrator_added',
    'administrator_removed'));

drop function list_platform_coaches(timestamptz, bigint, text, text, timestamptz, bigint, bigint, bigint);
-- A page of coaches, newest first, after the row (after_at, after_id). Null parameters don't filter, but for the state:
-- without one, removed coaches are left out.
create function list_platform_coaches(
  at timestamptz, coach bigint, term text, on_plan text, in_state text, after_at timestamptz, after_id bigint,
  page_size bigint, skip bigint)
returns table (
  id bigint, email text, first_name text, last_name text, business_name text, plan text, on_trial boolean,
  created_at timestamptz, clients bigint, two_step boolean, invited boolean, payment_failed boolean,
  removed_at timestamptz, last_sign_in_at timestamptz, total bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  key text := nullif(search_key(term), '');
begin
  return query
    with matching as not materialized (
      select a.id, a.created_at from account a
      where (coach is null or a.id = coach)
        and (a.removed_at is not null) = (in_state is not distinct from 'removed')
        and case in_state
          when 'invited' then a.email_verified_at is null and a.last_sign_in_at is null
          when 'trial' then a.plan = 'free' and a.trial_ends_at > at
          when 'payment-failed' then a.payment_failed_at is not null
          else true end
        and (on_plan is null or effective_plan(a.plan, a.trial_ends_at, at) = on_plan)
        and (key is null or strpos(a.search_text, key) > 0)
        and (after_id is null or (a.created_at, a.id) < (after_at, after_id))
    ), page as (
      select m.id from matching m order by m.created_at desc, m.id desc limit page_size offset skip
    )
    select a.id, a.email, a.first_name, a.last_name, a.business_name, effective_plan(a.plan, a.trial_ends_at, at),
      a.plan = 'free' and coalesce(a.trial_ends_at > at, false), a.created_at,
      (select count(*) from client
        where client.coach_id = a.id and client.deleted_at is null and client.archived_at is null),
      exists (select 1 from authenticator_app f where f.coach_id = a.id and f.confirmed_at is not null),
      a.email_verified_at is null and a.last_sign_in_at is null, a.payment_failed_at is not null,
      a.removed_at, a.last_sign_in_at, (select count(*) from matching)
    from page p join account a on a.id = p.id order by a.created_at desc, a.id desc;
end $$;
alter function list_platform_coaches(timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint)
  owner to practice_lookup;
revoke all on function list_platform_coaches(
  timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint) from public;
grant execute on function list_platform_coaches(
  timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint) to practice_app;
`,
  ),
  // The platform's analytics count rows that outlive the accounts: they have ids and times alone.
  migration(
    'admin/0008-analytics',
    /* sql */ `
-- The plan of a coach from a time on, beginning with the sign-up.
create table coach_state (
  id bigserial primary key,
  account_id bigint not null,
  plan text not null,
  is_removed boolean not null,
  since timestamptz(3) not null,
  constraint coach_state_plan_allowed check (plan in ('free', 'pro', 'premium'))
);
create index coach_state_account on coach_state (account_id, since, id);
-- The months (UTC) in which a coach was signed in.
create table coach_activity (account_id bigint not null, month date not null, primary key (account_id, month));
-- When a coach added the first client.
create table coach_activation (account_id bigint primary key, activated_at timestamptz(3) not null);

grant select, insert on coach_state, coach_activity to practice_history;
grant usage on sequence coach_state_id_seq to practice_history;

create function record_coach_state() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into coach_state (account_id, plan, is_removed, since)
    values (new.id, new.plan, new.removed_at is not null,
      case tg_op when 'INSERT' then new.created_at else coalesce(new.removed_at, new.updated_at) end);
  return null;
end $$;
create function record_coach_activity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into coach_activity (account_id, month)
    values (new.coach_id, date_trunc('month', new.last_seen_at at time zone 'UTC')) on conflict do nothing;
  return null;
end $$;
alter function record_coach_state() owner to practice_history;
alter function record_coach_activity() owner to practice_history;
revoke all on function record_coach_state(), record_coach_activity() from public;
create trigger account_state_added after insert on account for each row execute function record_coach_state('account');
create trigger account_state_changed after update of plan, removed_at on account for each row
  when (old.plan is distinct from new.plan or old.removed_at is distinct from new.removed_at)
  execute function record_coach_state('account');
create trigger session_activity after insert or update of last_seen_at on session
  for each row execute function record_coach_activity('session');

-- Looks for the first clients of coaches who had none.
create function record_coach_activations() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into coach_activation (account_id, activated_at)
    select a.id, first.at
    from account a cross join lateral (select min(c.created_at) as at from client c where c.coach_id = a.id) first
    where first.at is not null and not exists (select 1 from coach_activation n where n.account_id = a.id)
    on conflict do nothing;
end $$;
grant select, insert on coach_activation to practice_lookup;
alter function record_coach_activations() owner to practice_lookup;
revoke all on function record_coach_activations() from public;
grant execute on function record_coach_activations() to practice_app;

-- The policies hide the rows of all tenants, also from the owner.
alter table account no force row level security;
alter table session no force row level security;
insert into coach_state (account_id, plan, is_removed, since) select id, plan, false, created_at from account;
insert into coach_state (account_id, plan, is_removed, since)
  select id, plan, true, removed_at from account where removed_at is not null;
insert into coach_activity (account_id, month)
  select coach_id, date_trunc('month', created_at at time zone 'UTC') from session
  union select coach_id, date_trunc('month', last_seen_at at time zone 'UTC') from session
  union select id, date_trunc('month', last_sign_in_at at time zone 'UTC') from account where last_sign_in_at is not null;
alter table account force row level security;
alter table session force row level security;

${['coach_state', 'coach_activity', 'coach_activation']
  .map(
    (table) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy ${table}_read on ${table} for select using ((select is_administrator()));
create policy ${table}_write on ${table} to ${table === 'coach_activation' ? 'practice_lookup' : 'practice_history'}
  using (true) with check (true);`,
  )
  .join('')}
`,
  ),
  // Switches of modules, which concern a plan or a coach.
  migration(
    'admin/0009-module-switches',
    /* sql */ `
alter table audit_entry
  alter column target_id drop not null,
  alter column target_email drop not null,
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_modules_changed', 'plan_modules_changed', 'coach_removed', 'coach_restored', 'coach_signed_out',
    'second_factor_removed', 'administrator_added', 'administrator_removed'));
`,
  ), // Failed jobs that administrators retry.
  migration(
    'admin/0010-retried-jobs',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_modules_changed', 'plan_modules_changed', 'coach_removed', 'coach_restored', 'coach_signed_out',
    'second_factor_removed', 'jobs_retried', 'administrator_added', 'administrator_removed'));
`,
  ),
  // Coaches who let administrators read their practice, and what these do there.
  migration(
    'admin/0011-support-access',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_modules_changed', 'plan_modules_changed', 'coach_removed', 'coach_restored', 'coach_signed_out',
    'second_factor_removed', 'jobs_retried', 'support_started', 'support_page_opened', 'support_ended',
    'administrator_added', 'administrator_removed'));
-- Functions alone have this role: they write what the operator does, and where visits begin and end.
alter policy audit_entry_add_operator on audit_entry
  with check (actor_id is null or action in ('support_started', 'support_ended'));

-- The consent of a coach.
create table support_grant (
  coach_id bigint not null,
  id bigserial not null,
  reason text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (coach_id, id),
  constraint support_grant_reason_length check (char_length(reason) <= 255),
  constraint support_grant_time check (expires_at > created_at and expires_at <= created_at + '7 days'::interval)
);
${enableLookupPolicy('support_grant')}

-- The visit of an administrator, whose row it is, to the practice target_id.
create table support_visit (
  coach_id bigint not null,
  id bigserial not null,
  admin_email text not null,
  target_id bigint not null,
  target_email text not null,
  support_grant_id bigint not null,
  session_hash bytea not null,
  ip_address text,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_recorded boolean not null default false,
  primary key (coach_id, id),
  constraint support_visit_admin_email_length check (char_length(admin_email) <= 254),
  constraint support_visit_target_email_length check (char_length(target_email) <= 254),
  constraint support_visit_ip_address_length check (char_length(ip_address) <= 45)
);
create index support_visit_target on support_visit (target_id, support_grant_id);
${enableLookupPolicy('support_visit')}
${requireSignedActor('support_grant', 'support_visit')}

-- Only the coach consents, and what has ended stays so.
create function check_support_grant() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_owner boolean := pg_has_role(session_user, relowner, 'member') from pg_class where oid = 'signature_key'::regclass;
begin
  if tg_op = 'INSERT' then
    if not is_owner and get_actor(new.coach_id) is distinct from new.coach_id then
      raise exception 'only the coach allows support access' using errcode = 'insufficient_privilege';
    end if;
  elsif old.ended_at is not null or (new.coach_id, new.id, new.reason, new.created_at, new.expires_at)
      is distinct from (old.coach_id, old.id, old.reason, old.created_at, old.expires_at) then
    raise exception 'a support grant can only end' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger support_grant_check after insert or update on support_grant
  for each row execute function check_support_grant('support_grant');

-- Only an administrator visits, and what has ended stays so.
create function check_support_visit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_owner boolean := pg_has_role(session_user, relowner, 'member') from pg_class where oid = 'signature_key'::regclass;
begin
  if tg_op = 'INSERT' then
    if not is_owner and (get_actor(new.coach_id) is distinct from new.coach_id
        or not is_acting_administrator(new.coach_id)) then
      raise exception 'only an administrator visits a practice' using errcode = 'insufficient_privilege';
    end if;
  elsif (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
      or (new.coach_id, new.id, new.admin_email, new.target_id, new.target_email, new.support_grant_id, new.session_hash,
        new.ip_address, new.started_at)
      is distinct from (old.coach_id, old.id, old.admin_email, old.target_id, old.target_email, old.support_grant_id,
        old.session_hash, old.ip_address, old.started_at) then
    raise exception 'a support visit can only end' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger support_visit_check after insert or update on support_visit
  for each row execute function check_support_visit('support_visit');

-- The audit log has each visit, whatever begins or ends it.
create function record_support_visit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_entry (actor_id, actor_email, action, target_id, target_email, ip_address, created_at)
    values (new.coach_id, new.admin_email, case tg_op when 'INSERT' then 'support_started' else 'support_ended' end,
      new.target_id, new.target_email, case tg_op when 'INSERT' then new.ip_address end,
      coalesce(new.ended_at, new.started_at));
  return null;
end $$;
create trigger support_visit_started after insert on support_visit
  for each row execute function record_support_visit('support_visit');
create trigger support_visit_ended after update of ended_at on support_visit
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function record_support_visit('support_visit');

alter function check_support_grant() owner to practice_history;
alter function check_support_visit() owner to practice_history;
alter function record_support_visit() owner to practice_history;
revoke all on function check_support_grant(), check_support_visit(), record_support_visit() from public;

-- A removed or closed account ends its consent, and one that is no administrator any more its visits: neither comes back.
create function end_support() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.removed_at is not null then
    update support_grant set ended_at = new.removed_at where coach_id = new.id and ended_at is null;
  end if;
  if new.removed_at is not null or not new.is_admin then
    update support_visit set ended_at = coalesce(new.removed_at, clock_timestamp())
      where coach_id = new.id and ended_at is null;
  end if;
  return null;
end $$;
create trigger account_end_support after update of removed_at, is_admin on account
  for each row when (old.removed_at is distinct from new.removed_at or old.is_admin is distinct from new.is_admin)
  execute function end_support('account');

-- The visit of a session while it lasts: with the practice's account, its administrator still one, and the consent.
create function find_support_visit(administrator bigint, visit bigint, session_hash bytea, at timestamptz)
returns table (account json, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select describe_account(a, at), g.expires_at
    from support_visit v
      join account own on own.id = v.coach_id and own.is_admin and own.removed_at is null
      join support_grant g on g.coach_id = v.target_id and g.id = v.support_grant_id
      join account a on a.id = v.target_id and a.removed_at is null
    where v.coach_id = administrator and v.id = visit and v.session_hash = $3 and v.ended_at is null
      and g.ended_at is null and g.expires_at > at
$$;

-- The consent of a coach that counts now, for administrators.
create function find_support_grant(coach bigint, at timestamptz)
returns table (id bigint, reason text, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select g.id, g.reason, g.expires_at
    from support_grant g join account a on a.id = g.coach_id and a.removed_at is null
    where g.coach_id = coach and g.ended_at is null and g.expires_at > at
      and is_acting_administrator(nullif(current_setting('app.coach_id', true), '')::bigint)
    order by g.id desc limit 1
$$;

-- The visits of a consent that has ended, whose end the coach's security log doesn't have yet.
create function list_ended_support_visits(coach bigint, support_grant bigint, at timestamptz)
returns table (administrator bigint, id bigint, admin_email text, ends_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select v.coach_id, v.id, v.admin_email, coalesce(v.ended_at, least(g.ended_at, g.expires_at))
    from support_grant g join support_visit v on v.target_id = g.coach_id and v.support_grant_id = g.id
    where g.coach_id = coach and g.id = support_grant and not v.end_recorded
      and (g.ended_at is not null or g.expires_at <= at)
    order by v.id
$$;

alter function find_support_visit(bigint, bigint, bytea, timestamptz) owner to practice_lookup;
alter function find_support_grant(bigint, timestamptz) owner to practice_lookup;
alter function list_ended_support_visits(bigint, bigint, timestamptz) owner to practice_lookup;
revoke all on function find_support_visit(bigint, bigint, bytea, timestamptz), find_support_grant(bigint, timestamptz),
  list_ended_support_visits(bigint, bigint, timestamptz) from public;
grant execute on function find_support_visit(bigint, bigint, bytea, timestamptz), find_support_grant(bigint, timestamptz),
  list_ended_support_visits(bigint, bigint, timestamptz) to practice_app;
`,
  ),
  // Announcements of administrators to coaches.
  migration(
    'admin/0012-announcements',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_modules_changed', 'plan_modules_changed', 'coach_removed', 'coach_restored', 'coach_signed_out',
    'second_factor_removed', 'jobs_retried', 'support_started', 'support_page_opened', 'support_ended',
    'announcement_added', 'announcement_changed', 'announcement_deleted', 'administrator_added',
    'administrator_removed'));

create table announcement (
  id bigserial primary key,
  title text not null,
  body text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  plans text[] not null,
  version int not null,
  created_at timestamptz(3) not null,
  constraint announcement_title_length check (char_length(title) <= 120),
  constraint announcement_body_length check (char_length(body) <= 1000),
  constraint announcement_time check (ends_at > starts_at),
  constraint announcement_plans_allowed check (plans <@ array['free', 'pro', 'premium'] and plans <> '{}')
);
alter table announcement enable row level security;
alter table announcement force row level security;
create policy announcement_read on announcement for select using (${isCoach});
create policy announcement_add on announcement for insert with check (${isSignedAdministrator});
create policy announcement_change on announcement for update
  using (${isSignedAdministrator}) with check (${isSignedAdministrator});
create policy announcement_remove on announcement for delete using (${isSignedAdministrator});

create table announcement_dismissal (
  coach_id bigint not null,
  announcement_id bigint not null,
  dismissed_at timestamptz(3) not null,
  primary key (coach_id, announcement_id)
);
${enableTenantPolicy('announcement_dismissal')}
${requireSignedActor('announcement_dismissal')}
`,
  ),
  // Webhook deliveries that administrators retry.
  migration(
    'admin/0013-retried-deliveries',
    /* sql */ `
alter table audit_entry
  drop constraint audit_entry_action_allowed,
  add constraint audit_entry_action_allowed check (action in ('coach_added', 'invitation_sent', 'plan_changed',
    'coach_modules_changed', 'plan_modules_changed', 'coach_removed', 'coach_restored', 'coach_signed_out',
    'second_factor_removed', 'jobs_retried', 'delivery_retried', 'support_started', 'support_page_opened',
    'support_ended', 'announcement_added', 'announcement_changed', 'announcement_deleted', 'administrator_added',
    'administrator_removed'));
`,
  ),
  // The API lists coaches without what only the admin area shows. A version that serves beside this one still calls the
  // function without `detailed`.
  migration(
    'admin/0014-coach-records',
    /* sql */ `
-- A page of coaches, newest first, after the row (after_at, after_id). Null parameters don't filter, but for the state:
-- without one, removed coaches are left out. clients, two_step and total are null unless detailed.
create function list_platform_coaches(
  at timestamptz, coach bigint, term text, on_plan text, in_state text, after_at timestamptz, after_id bigint,
  page_size bigint, skip bigint, detailed boolean)
returns table (
  id bigint, email text, first_name text, last_name text, business_name text, plan text, on_trial boolean,
  created_at timestamptz, clients bigint, two_step boolean, invited boolean, payment_failed boolean,
  removed_at timestamptz, last_sign_in_at timestamptz, total bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  key text := nullif(search_key(term), '');
begin
  return query
    with matching as not materialized (
      select a.* from account a
      where (coach is null or a.id = coach)
        and (a.removed_at is not null) = (in_state is not distinct from 'removed')
        and case in_state
          when 'invited' then a.email_verified_at is null and a.last_sign_in_at is null
          when 'trial' then a.plan = 'free' and a.trial_ends_at > at
          when 'payment-failed' then a.payment_failed_at is not null
          else true end
        and (on_plan is null or effective_plan(a.plan, a.trial_ends_at, at) = on_plan)
        and (key is null or strpos(a.search_text, key) > 0)
        and (after_id is null or (a.created_at, a.id) < (after_at, after_id))
    ), page as (
      select m.* from matching m order by m.created_at desc, m.id desc limit page_size offset skip
    )
    select a.id, a.email, a.first_name, a.last_name, a.business_name, effective_plan(a.plan, a.trial_ends_at, at),
      a.plan = 'free' and coalesce(a.trial_ends_at > at, false), a.created_at,
      case when detailed then (select count(*) from client
        where client.coach_id = a.id and client.deleted_at is null and client.archived_at is null) end,
      case when detailed then
        exists (select 1 from authenticator_app f where f.coach_id = a.id and f.confirmed_at is not null) end,
      a.email_verified_at is null and a.last_sign_in_at is null, a.payment_failed_at is not null,
      a.removed_at, a.last_sign_in_at, case when detailed then (select count(*) from matching) end
    from page a order by a.created_at desc, a.id desc;
end $$;
alter function list_platform_coaches(
  timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint, boolean) owner to practice_lookup;
revoke all on function list_platform_coaches(
  timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint, boolean) from public;
grant execute on function list_platform_coaches(
  timestamptz, bigint, text, text, text, timestamptz, bigint, bigint, bigint, boolean) to practice_app;
`,
  ),
]
