import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'
import { migration } from '#db/migration.ts'
import { requireSignedActor } from '#db/triggers.ts'
import { apiKeys } from './api-keys/migration.ts'
import { customDomains, domainSessions } from './domains/migration.ts'
import { closedAccounts } from './accounts/closing-migration.ts'
import { erasureReports } from './erasures/migration.ts'
import { failedExports, practiceExports } from './exports/migration.ts'
import { files } from './files/migration.ts'
import { notificationChoices } from './accounts/notification-migration.ts'
import { moduleSwitches } from './module-switches/migration.ts'

const accounts = `
create table account (
  id bigserial primary key,
  email text not null,
  password_hash text,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  role text not null default 'coach',
  business_name text,
  bio text,
  phone text,
  timezone text not null default 'America/New_York',
  primary_color text not null default '#6366f1',
  logo_url text,
  subdomain text,
  onboarding_completed boolean not null default false,
  is_admin boolean not null default false,
  plan text not null default 'free',
  trial_ends_at timestamptz(3),
  removed_at timestamptz(3),
  last_sign_in_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint account_subdomain_key unique (subdomain),
  constraint account_email_length check (char_length(email) <= 254),
  constraint account_first_name_length check (char_length(first_name) <= 255),
  constraint account_last_name_length check (char_length(last_name) <= 255),
  constraint account_business_name_length check (char_length(business_name) <= 255),
  constraint account_bio_length check (char_length(bio) <= 50000),
  constraint account_phone_length check (char_length(phone) <= 255),
  constraint account_timezone_length check (char_length(timezone) <= 255),
  constraint account_logo_url_length check (char_length(logo_url) <= 2048),
  constraint account_role_allowed check (role in ('coach')),
  constraint account_plan_allowed check (plan in ('free', 'pro', 'premium')),
  constraint account_primary_color_format check (primary_color ~ '^#[0-9a-f]{6}$'),
  constraint account_subdomain_format check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$')
);
create unique index account_email_key on account (lower(email));

create table session (
  coach_id bigint not null,
  id bigserial not null,
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint session_token_hash_key unique (token_hash)
);

create table one_time_token (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (coach_id, id),
  constraint one_time_token_hash_key unique (token_hash),
  constraint one_time_token_kind_allowed check (kind in ('reset', 'invitation', 'handover'))
);

create table idempotency_key (
  coach_id bigint not null,
  key text not null,
  request_hash bytea not null,
  status int,
  body text,
  created_at timestamptz(3) not null,
  primary key (coach_id, key),
  constraint idempotency_key_key_length check (char_length(key) <= 255)
);

create table rate_limit (key text primary key, attempts int not null, window_ends_at timestamptz(3) not null);

create table upload (
  coach_id bigint not null,
  id bigserial not null,
  key text not null,
  content_type text not null,
  content bytea not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint upload_coach_key unique (coach_id),
  constraint upload_key_format check (key ~ '^[0-9a-f]{32}$'),
  constraint upload_content_type_allowed check (content_type in ('image/png', 'image/jpeg', 'image/svg+xml')),
  constraint upload_content_size check (octet_length(content) <= 5242880)
);
create index upload_key on upload (key);

${enableLookupPolicy('account', 'id')}
${enableLookupPolicy('session')}
${enableLookupPolicy('one_time_token')}
${enableTenantPolicy('idempotency_key')}
${enableLookupPolicy('upload')}
`

/** They run as the lookup role, before a tenant is known. */
const lookupFunctions = `
-- The plan that counts: a free plan is Pro during the trial.
create function effective_plan(plan text, trial_ends_at timestamptz, at timestamptz) returns text
language sql immutable parallel safe as $$
  select case when plan = 'free' and trial_ends_at > at then 'pro' else plan end
$$;

-- The account of a session (by the hash of its token) and the coach of a host (by subdomain), in one call per request.
create function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id,
        'email', a.email,
        'firstName', a.first_name,
        'lastName', a.last_name,
        'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name,
        'timezone', a.timezone,
        'primaryColor', a.primary_color,
        'logoUrl', a.logo_url,
        'subdomain', a.subdomain,
        'onboardingCompleted', a.onboarding_completed,
        'isAdmin', a.is_admin,
        'plan', effective_plan(a.plan, a.trial_ends_at, at),
        'trialEndsAt', case when a.trial_ends_at > at
          then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null)
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and a.removed_at is null),
    (select json_build_object(
        'id', t.id,
        'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name),
        'bio', t.bio,
        'primaryColor', t.primary_color,
        'logoUrl', t.logo_url,
        'subdomain', t.subdomain,
        'plan', effective_plan(t.plan, t.trial_ends_at, at))
      from account t where t.subdomain = host_label and t.removed_at is null);
end $$;

create function find_account_by_email(address text) returns table (id bigint, password_hash text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id, a.password_hash from account a
    where lower(a.email) = lower(address) and a.removed_at is null;
end $$;

-- The coach of a one-time token that can still be used.
create function find_token_coach(token_kind text, hash bytea, at timestamptz) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select t.coach_id from one_time_token t join account a on a.id = t.coach_id
    where t.token_hash = hash and t.kind = token_kind and t.used_at is null and t.expires_at > at
      and a.removed_at is null);
end $$;

-- For jobs and migrations that go through all tenants.
create function list_coaches() returns table (id bigint, removed_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id, a.removed_at from account a order by a.id;
end $$;

-- An uploaded image, by a key that can't be guessed.
create function find_upload(upload_key text) returns table (content_type text, content bytea)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select u.content_type, u.content from upload u join account a on a.id = u.coach_id
    where u.key = upload_key and a.removed_at is null;
end $$;

alter function find_viewer(bytea, text, timestamptz) owner to practice_lookup;
alter function find_account_by_email(text) owner to practice_lookup;
alter function find_token_coach(text, bytea, timestamptz) owner to practice_lookup;
alter function list_coaches() owner to practice_lookup;
alter function find_upload(text) owner to practice_lookup;
revoke all on function find_viewer(bytea, text, timestamptz), find_account_by_email(text),
  find_token_coach(text, bytea, timestamptz), list_coaches(), find_upload(text) from public;
grant execute on function find_viewer(bytea, text, timestamptz), find_account_by_email(text),
  find_token_coach(text, bytea, timestamptz), list_coaches(), find_upload(text) to practice_app;
`

const history = `
create table history (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  record_id bigint not null,
  action text not null,
  changes jsonb not null,
  actor_id bigint,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint history_action_allowed check (action in ('created', 'changed', 'deleted', 'restored'))
);
create index history_record on history (coach_id, kind, record_id, id);
${enableTenantPolicy('history')}
grant usage on schema public to practice_history;
grant select, insert, update, delete on history to practice_history;
grant usage on sequence history_id_seq to practice_history;

-- Records each change of a row: who, when, and the old and new value of each column. Arguments: the table, then columns
-- to ignore. Erasing a row erases its history.
create function write_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb;
  after jsonb;
  event text := 'changed';
  fields jsonb;
  at timestamptz := coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now());
begin
  if tg_op = 'DELETE' then
    delete from history where coach_id = old.coach_id and kind = tg_argv[0] and record_id = old.id;
    return null;
  end if;
  after := to_jsonb(new);
  if tg_op = 'INSERT' then
    event := 'created';
    at := coalesce(new.created_at, at);
    fields := '[]';
  else
    before := to_jsonb(old);
    select coalesce(jsonb_agg(jsonb_build_object('field', key, 'from', before -> key, 'to', value) order by key), '[]')
      into fields
      from jsonb_each(after)
      where value is distinct from before -> key and key <> all (tg_argv[1:])
        and key not in ('created_at', 'updated_at', 'deleted_at', 'search_text');
    if after -> 'deleted_at' is distinct from before -> 'deleted_at' then
      event := case when after ->> 'deleted_at' is null then 'restored' else 'deleted' end;
    elsif fields = '[]' then
      return null;
    end if;
    if new.updated_at is distinct from old.updated_at then at := new.updated_at; end if;
  end if;
  insert into history (coach_id, kind, record_id, action, changes, actor_id, created_at)
    values (new.coach_id, tg_argv[0], new.id, event, fields,
      nullif(current_setting('app.actor', true), '')::bigint, at);
  return null;
end $$;

-- Sets columns of a row to null. Arguments: the table, then the columns. Counts as an edit, where the table counts them.
create function clear_columns() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('update %I set %s where coach_id = $1 and id = $2', tg_argv[0],
    (select string_agg(format('%I = null', name), ', ') from unnest(tg_argv[1:]) name)
      || case when to_jsonb(new) ? 'version' then ', version = version + 1' else '' end)
    using new.coach_id, new.id;
  return null;
end $$;

-- Removes the values of columns from a row's history. Arguments: the table, then the columns.
create function scrub_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update history set changes = (
      select coalesce(jsonb_agg(change order by position), '[]')
      from jsonb_array_elements(changes) with ordinality as entries (change, position)
      where change ->> 'field' <> all (tg_argv[1:]))
    where coach_id = new.coach_id and kind = tg_argv[0] and record_id = new.id
      and exists (
        select 1 from jsonb_array_elements(changes) change where change ->> 'field' = any (tg_argv[1:]));
  delete from history
    where coach_id = new.coach_id and kind = tg_argv[0] and record_id = new.id
      and action = 'changed' and changes = '[]';
  return null;
end $$;

alter function write_history() owner to practice_history;
alter function scrub_history() owner to practice_history;
revoke all on function write_history(), scrub_history() from public;
`

const search = `
-- Lower case without accents, independent of the database's locale: 'Åsa Müßig' and 'asa mussig' are equal, and so are
-- full and half width, both lower-case sigmas, and the kinds of hyphens and apostrophes.
create function search_key(value text) returns text
language sql immutable parallel safe as $$
  select translate(
    replace(replace(replace(
      regexp_replace(normalize(lower(value collate "und-x-icu"), nfkd), '[\\u0300-\\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'øłđðıħŧς’‘‐‑–', 'olddihtσ''''---')
$$;

-- As search_key, for light markup: without its syntax, which the search removes from the term too.
create function content_key(markup text) returns text
language sql immutable parallel safe as $$
  select search_key(translate(markup, '*_=#•\\', ''))
$$;

-- The searchable content of records, outside of their tables so that those rows stay small.
create table search_content (
  coach_id bigint not null,
  kind text not null,
  record_id bigint not null,
  content text not null,
  primary key (coach_id, kind, record_id)
);
${enableTenantPolicy('search_content')}

-- Keeps a row's content up to date. Arguments: the table, then the columns with light markup.
create function index_content() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  key text;
begin
  if tg_op <> 'DELETE' then
    select content_key(string_agg(to_jsonb(new) ->> name, chr(10) order by position)) into key
      from unnest(tg_argv[1:]) with ordinality as columns (name, position);
  end if;
  if key <> '' then
    insert into search_content (coach_id, kind, record_id, content) values (new.coach_id, tg_argv[0], new.id, key)
      on conflict (coach_id, kind, record_id) do update set content = excluded.content;
  elsif tg_op <> 'INSERT' then
    delete from search_content where coach_id = old.coach_id and kind = tg_argv[0] and record_id = old.id;
  end if;
  return null;
end $$;
`

const accountSecurity = `
alter table account add column email_verified_at timestamptz(3);

alter table session
  add column last_seen_at timestamptz(3),
  add column user_agent text,
  add column ip_address text;
-- The policy hides the rows of all tenants, also from the owner.
alter table session no force row level security;
update session set last_seen_at = created_at;
alter table session force row level security;
alter table session
  alter column last_seen_at set not null,
  add constraint session_user_agent_length check (char_length(user_agent) <= 400),
  add constraint session_ip_address_length check (char_length(ip_address) <= 45);

alter table one_time_token
  add column data jsonb,
  drop constraint one_time_token_kind_allowed,
  add constraint one_time_token_kind_allowed
    check (kind in ('reset', 'invitation', 'handover', 'verification', 'email_change', 'second_factor', 'passkey'));

alter table upload
  add column kind text not null default 'logo',
  drop constraint upload_coach_key,
  add constraint upload_coach_key unique (coach_id, kind),
  add constraint upload_kind_allowed check (kind in ('logo', 'photo'));

create table authenticator_app (
  coach_id bigint not null,
  id bigserial not null,
  secret text not null,
  last_used_step bigint,
  confirmed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint authenticator_app_coach_key unique (coach_id)
);

create table recovery_code (
  coach_id bigint not null,
  id bigserial not null,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (coach_id, id),
  constraint recovery_code_hash_key unique (coach_id, code_hash)
);

create table passkey (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (coach_id, id),
  constraint passkey_credential_id_key unique (credential_id),
  constraint passkey_name_length check (char_length(name) <= 60)
);

create table security_event (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  ip_address text,
  user_agent text,
  details jsonb not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint security_event_kind_length check (char_length(kind) <= 40),
  constraint security_event_ip_address_length check (char_length(ip_address) <= 45),
  constraint security_event_user_agent_length check (char_length(user_agent) <= 400)
);

${enableTenantPolicy('authenticator_app')}
${enableTenantPolicy('recovery_code')}
${enableLookupPolicy('passkey')}
${enableTenantPolicy('security_event')}

drop function find_viewer(bytea, text, timestamptz);
-- The account of a session (by the hash of its token) and the coach of a host (by subdomain), in one call per request. A
-- session ends after 7 days without a request; it is stale when the time of its last request should be updated.
create function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json, is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id,
        'email', a.email,
        'emailVerified', a.email_verified_at is not null,
        'firstName', a.first_name,
        'lastName', a.last_name,
        'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name,
        'timezone', a.timezone,
        'primaryColor', a.primary_color,
        'logoUrl', a.logo_url,
        'subdomain', a.subdomain,
        'onboardingCompleted', a.onboarding_completed,
        'isAdmin', a.is_admin,
        'plan', effective_plan(a.plan, a.trial_ends_at, at),
        'trialEndsAt', case when a.trial_ends_at > at
          then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null)
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null),
    (select json_build_object(
        'id', t.id,
        'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name),
        'bio', t.bio,
        'primaryColor', t.primary_color,
        'logoUrl', t.logo_url,
        'subdomain', t.subdomain,
        'plan', effective_plan(t.plan, t.trial_ends_at, at))
      from account t where t.subdomain = host_label and t.removed_at is null),
    exists (select 1 from session s where s.token_hash = session_hash and s.last_seen_at < at - interval '5 minutes');
end $$;

-- A passkey by its credential id, before its coach is known.
create function find_passkey(credential bytea)
returns table (coach_id bigint, id bigint, public_key bytea, sign_count bigint, transports text[])
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select p.coach_id, p.id, p.public_key, p.sign_count, p.transports
    from passkey p join account a on a.id = p.coach_id
    where p.credential_id = credential and a.removed_at is null;
end $$;

alter function find_viewer(bytea, text, timestamptz) owner to practice_lookup;
alter function find_passkey(bytea) owner to practice_lookup;
revoke all on function find_viewer(bytea, text, timestamptz), find_passkey(bytea) from public;
grant execute on function find_viewer(bytea, text, timestamptz), find_passkey(bytea) to practice_app;
`

const administrators = `
-- For a change of ADMIN_EMAIL, which demotes the former administrator.
create function list_administrators() returns table (id bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id from account a where a.is_admin;
end $$;

alter function list_administrators() owner to practice_lookup;
revoke all on function list_administrators() from public;
grant execute on function list_administrators() to practice_app;
`

const databaseRights = `
-- The serving role can't write these columns of an account, nor read the password's hash: see db/roles.ts.
grant update (password_hash, plan, trial_ends_at, updated_at) on account to practice_lookup;

-- They change the account of the transaction's tenant: its policy applies to the look-up role too.
-- With former_hash only if that one is still stored.
create function set_password(new_hash text, at timestamptz, former_hash text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (new_hash like '$argon2id$%') is not true then
    raise exception 'a password is stored as an argon2id hash' using errcode = 'check_violation';
  end if;
  update account set password_hash = new_hash, updated_at = at
    where id = nullif(current_setting('app.coach_id', true), '')::bigint
      and (former_hash is null or password_hash = former_hash);
end $$;

-- Starts the trial, once and on the free plan. Returns whether it did.
create function start_trial(ends_at timestamptz, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A day more than a trial has: the clocks may differ.
  if ends_at > clock_timestamp() + interval '15 days' then
    raise exception 'a trial has 14 days' using errcode = 'check_violation';
  end if;
  update account set trial_ends_at = ends_at, updated_at = at
    where id = nullif(current_setting('app.coach_id', true), '')::bigint and trial_ends_at is null and plan = 'free';
  return found;
end $$;

create function is_acting_administrator(actor bigint) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from account where id = actor and is_admin and removed_at is null);
end $$;

-- Sets the plan and ends a running trial. The actor of the transaction must be an administrator.
create function set_plan(new_plan text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not is_acting_administrator(nullif(current_setting('app.actor', true), '')::bigint) then
    raise exception 'only an administrator sets a plan' using errcode = 'insufficient_privilege';
  end if;
  update account set plan = new_plan, updated_at = at,
      trial_ends_at = case when trial_ends_at > at then at else trial_ends_at end
    where id = nullif(current_setting('app.coach_id', true), '')::bigint;
end $$;

alter function set_password(text, timestamptz, text) owner to practice_lookup;
alter function start_trial(timestamptz, timestamptz) owner to practice_lookup;
alter function is_acting_administrator(bigint) owner to practice_lookup;
alter function set_plan(text, timestamptz) owner to practice_lookup;
revoke all on function set_password(text, timestamptz, text), start_trial(timestamptz, timestamptz),
  is_acting_administrator(bigint), set_plan(text, timestamptz) from public;
grant execute on function set_password(text, timestamptz, text), start_trial(timestamptz, timestamptz),
  set_plan(text, timestamptz) to practice_app;
grant execute on function is_acting_administrator(bigint) to practice_history;
-- Only the owner changes who is an administrator.
revoke execute on function list_administrators() from practice_app;

-- Records each change of a row: who, when, and the old and new value of each column. Arguments: the table, then columns
-- to ignore. Erasing a row erases its history. The time is the database's own, and the actor is nobody (a job), the coach
-- or an administrator.
create or replace function write_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb;
  after jsonb;
  event text := 'changed';
  fields jsonb;
  actor bigint := nullif(current_setting('app.actor', true), '')::bigint;
begin
  if tg_op = 'DELETE' then
    delete from history where coach_id = old.coach_id and kind = tg_argv[0] and record_id = old.id;
    return null;
  end if;
  after := to_jsonb(new);
  if tg_op = 'INSERT' then
    event := 'created';
    fields := '[]';
  else
    before := to_jsonb(old);
    select coalesce(jsonb_agg(jsonb_build_object('field', key, 'from', before -> key, 'to', value) order by key), '[]')
      into fields
      from jsonb_each(after)
      where value is distinct from before -> key and key <> all (tg_argv[1:])
        and key not in ('created_at', 'updated_at', 'deleted_at', 'search_text');
    if after -> 'deleted_at' is distinct from before -> 'deleted_at' then
      event := case when after ->> 'deleted_at' is null then 'restored' else 'deleted' end;
    elsif fields = '[]' then
      return null;
    end if;
  end if;
  if actor <> new.coach_id and not is_acting_administrator(actor) then
    raise exception 'app.actor is neither the coach nor an administrator' using errcode = 'insufficient_privilege';
  end if;
  insert into history (coach_id, kind, record_id, action, changes, actor_id, created_at)
    values (new.coach_id, tg_argv[0], new.id, event, fields, actor, clock_timestamp());
  return null;
end $$;
`

const localTime = `
-- The time of day in a time zone; in UTC for one that Postgres doesn't know, such as a browser's old name.
create function local_time(at timestamptz, zone text) returns timestamp
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return at at time zone zone;
exception when invalid_parameter_value then
  return at at time zone 'UTC';
end $$;
`

const releasedSubdomains = `
create table released_subdomain (
  coach_id bigint not null,
  subdomain text not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, subdomain),
  constraint released_subdomain_subdomain_length check (char_length(subdomain) <= 40)
);
create index released_subdomain_subdomain on released_subdomain (subdomain);
${enableLookupPolicy('released_subdomain')}

-- Whether another coach gave the subdomain up a short time ago.
create function is_subdomain_held(label text, coach bigint, at timestamptz) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select 1 from released_subdomain r
    where r.subdomain = label and r.coach_id <> coach and r.expires_at > at);
end $$;

alter function is_subdomain_held(text, bigint, timestamptz) owner to practice_lookup;
revoke all on function is_subdomain_held(text, bigint, timestamptz) from public;
grant execute on function is_subdomain_held(text, bigint, timestamptz) to practice_app;
`

const signatures = `
-- Keys derived from SECRET_KEY, as HMAC-SHA-256 hashes them before a message. Each start stores those of its process.
create table signature_key (inner_pad bytea primary key, outer_pad bytea not null);
alter table signature_key enable row level security;
create policy signature_key_read on signature_key for select to practice_history using (true);
grant select on signature_key to practice_history;

-- Whether token (value:expires:signature) was signed for subject by a process that has a SECRET_KEY of this database.
create function is_signed(token text, subject text) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  part text[] := string_to_array(token, ':');
  message bytea := convert_to(part[1] || ':' || part[2] || ':' || subject, 'UTF8');
begin
  return exists (select from signature_key
      where encode(sha256(outer_pad || sha256(inner_pad || message)), 'hex') = part[3])
    and to_timestamp(part[2]::bigint) > now();
end $$;

-- The account that acts in a transaction of the coach; null: nobody. Refuses what is not signed, except from the owner,
-- who could change this function.
create function get_actor(coach bigint) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  token text := current_setting('app.actor', true);
begin
  if is_signed(token, 'actor:' || coach) then
    return nullif(split_part(token, ':', 1), '')::bigint;
  end if;
  if not (select pg_has_role(session_user, relowner, 'member') from pg_class where oid = 'signature_key'::regclass) then
    raise exception 'the actor of the transaction is not signed for this coach, or the signature has expired'
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

-- For rows that open an account or are money: they are written only in a signed transaction of the coach.
create function require_signed_actor() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_argv[0] = 'account' then
    perform get_actor(new.id);
  else
    perform get_actor(coalesce(new.coach_id, old.coach_id));
  end if;
  return null;
end $$;

alter function is_signed(text, text) owner to practice_history;
alter function get_actor(bigint) owner to practice_history;
alter function require_signed_actor() owner to practice_history;
revoke all on function is_signed(text, text), get_actor(bigint), require_signed_actor() from public;
grant execute on function is_signed(text, text) to practice_app, practice_lookup;
grant execute on function get_actor(bigint) to practice_lookup;

-- After the statement, so that row level security refuses the rows of others first.
create trigger account_signed_insert after insert on account
  for each row execute function require_signed_actor('account');
create trigger account_signed_update after update of email, email_verified_at, removed_at, subdomain on account
  for each row execute function require_signed_actor('account');
create trigger session_signed after insert or update on session
  for each row execute function require_signed_actor('session');
create trigger one_time_token_signed after insert or update on one_time_token
  for each row execute function require_signed_actor('one_time_token');
create trigger passkey_signed after insert or update on passkey
  for each row execute function require_signed_actor('passkey');

drop function find_account_by_email(text);
create function find_account_by_email(address text) returns table (id bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id from account a where lower(a.email) = lower(address) and a.removed_at is null;
end $$;

-- As find_account_by_email, with the password's hash, for a process that signs the request.
create function find_credentials(address text, token text) returns table (id bigint, password_hash text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if is_signed(token, 'credentials:' || address) is not true then
    raise exception 'the request for a password hash is not signed' using errcode = 'insufficient_privilege';
  end if;
  return query select a.id, a.password_hash from account a
    where lower(a.email) = lower(address) and a.removed_at is null;
end $$;

alter function find_account_by_email(text) owner to practice_lookup;
alter function find_credentials(text, text) owner to practice_lookup;
revoke all on function find_account_by_email(text), find_credentials(text, text) from public;
grant execute on function find_account_by_email(text), find_credentials(text, text) to practice_app;

-- They change the account of the transaction's tenant, whose policy applies to the look-up role too.
-- With former_hash only if that one is still stored.
create or replace function set_password(new_hash text, at timestamptz, former_hash text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  if (new_hash like '$argon2id$%') is not true then
    raise exception 'a password is stored as an argon2id hash' using errcode = 'check_violation';
  end if;
  perform get_actor(coach);
  update account set password_hash = new_hash, updated_at = at
    where id = coach and (former_hash is null or password_hash = former_hash);
end $$;

-- Starts the trial, once and on the free plan. Returns whether it did.
create or replace function start_trial(ends_at timestamptz, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  -- A day more than a trial has: the clocks may differ.
  if ends_at > clock_timestamp() + interval '15 days' then
    raise exception 'a trial has 14 days' using errcode = 'check_violation';
  end if;
  perform get_actor(coach);
  update account set trial_ends_at = ends_at, updated_at = at
    where id = coach and trial_ends_at is null and plan = 'free';
  return found;
end $$;

-- Sets the plan and ends a running trial. The actor of the transaction must be an administrator.
create or replace function set_plan(new_plan text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  if not is_acting_administrator(get_actor(coach)) then
    raise exception 'only an administrator sets a plan' using errcode = 'insufficient_privilege';
  end if;
  update account set plan = new_plan, updated_at = at,
      trial_ends_at = case when trial_ends_at > at then at else trial_ends_at end
    where id = coach;
end $$;

-- Records each change of a row: who, when, and the old and new value of each column. Arguments: the table, then columns
-- to ignore. Erasing a row erases its history. The time is the database's own, and the actor is signed: nobody (a job or
-- a visitor), the coach or an administrator.
create or replace function write_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb;
  after jsonb;
  event text := 'changed';
  fields jsonb;
  actor bigint := get_actor(case tg_op when 'DELETE' then old.coach_id else new.coach_id end);
begin
  if tg_op = 'DELETE' then
    delete from history where coach_id = old.coach_id and kind = tg_argv[0] and record_id = old.id;
    return null;
  end if;
  after := to_jsonb(new);
  if tg_op = 'INSERT' then
    event := 'created';
    fields := '[]';
  else
    before := to_jsonb(old);
    select coalesce(jsonb_agg(jsonb_build_object('field', key, 'from', before -> key, 'to', value) order by key), '[]')
      into fields
      from jsonb_each(after)
      where value is distinct from before -> key and key <> all (tg_argv[1:])
        and key not in ('created_at', 'updated_at', 'deleted_at', 'search_text');
    if after -> 'deleted_at' is distinct from before -> 'deleted_at' then
      event := case when after ->> 'deleted_at' is null then 'restored' else 'deleted' end;
    elsif fields = '[]' then
      return null;
    end if;
  end if;
  if actor <> new.coach_id and not is_acting_administrator(actor) then
    raise exception 'the actor is neither the coach nor an administrator' using errcode = 'insufficient_privilege';
  end if;
  insert into history (coach_id, kind, record_id, action, changes, actor_id, created_at)
    values (new.coach_id, tg_argv[0], new.id, event, fields, actor, clock_timestamp());
  return null;
end $$;
`

const erasedSubdomains = `
-- SHA-256 of names, in hexadecimal: a row tells nothing about a coach who was erased.
create table erased_subdomain (name_hash text primary key, expires_at timestamptz(3) not null);
grant select on erased_subdomain to practice_lookup;

-- Whether another coach gave the subdomain up, or was removed with it, a short time ago.
create or replace function is_subdomain_held(label text, coach bigint, at timestamptz) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select 1 from released_subdomain r
      where r.subdomain = label and r.coach_id <> coach and r.expires_at > at)
    or exists (select 1 from erased_subdomain e
      where e.name_hash = encode(sha256(convert_to(label, 'UTF8')), 'hex') and e.expires_at > at);
end $$;
`

const twoStepLookup = `
create policy authenticator_app_lookup on authenticator_app for select to practice_lookup using (true);
-- Without the secret.
grant select (coach_id, confirmed_at) on authenticator_app to practice_lookup;
`

const timeSettings = `
alter table account
  add column week_start text not null default 'sunday',
  add column time_format text not null default '12h',
  add constraint account_week_start_allowed check (week_start in ('sunday', 'monday', 'saturday')),
  add constraint account_time_format_allowed check (time_format in ('12h', '24h'));

-- As before, with the settings.
create or replace function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json, is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id,
        'email', a.email,
        'emailVerified', a.email_verified_at is not null,
        'firstName', a.first_name,
        'lastName', a.last_name,
        'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name,
        'timezone', a.timezone,
        'weekStart', a.week_start,
        'timeFormat', a.time_format,
        'primaryColor', a.primary_color,
        'logoUrl', a.logo_url,
        'subdomain', a.subdomain,
        'onboardingCompleted', a.onboarding_completed,
        'isAdmin', a.is_admin,
        'plan', effective_plan(a.plan, a.trial_ends_at, at),
        'trialEndsAt', case when a.trial_ends_at > at
          then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null)
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null),
    (select json_build_object(
        'id', t.id,
        'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name),
        'bio', t.bio,
        'primaryColor', t.primary_color,
        'logoUrl', t.logo_url,
        'subdomain', t.subdomain,
        'plan', effective_plan(t.plan, t.trial_ends_at, at))
      from account t where t.subdomain = host_label and t.removed_at is null),
    exists (select 1 from session s where s.token_hash = session_hash and s.last_seen_at < at - interval '5 minutes');
end $$;
`

const subscriptions = `
-- Since when the payment of the plan fails; null: it doesn't.
alter table account add column payment_failed_at timestamptz(3);
grant update (payment_failed_at) on account to practice_lookup;

-- Sets the plan that is paid for, and ends a running trial. Only a job does: neither a coach nor an administrator.
create function set_paid_plan(new_plan text, failed_at timestamptz, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  if get_actor(coach) is not null then
    raise exception 'only a job sets the plan that is paid for' using errcode = 'insufficient_privilege';
  end if;
  update account set plan = new_plan, payment_failed_at = failed_at, updated_at = at,
      trial_ends_at = case when trial_ends_at > at and new_plan <> 'free' then at else trial_ends_at end
    where id = coach;
end $$;

-- Sets the plan and ends a running trial. The actor of the transaction must be an administrator.
create or replace function set_plan(new_plan text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  if not is_acting_administrator(get_actor(coach)) then
    raise exception 'only an administrator sets a plan' using errcode = 'insufficient_privilege';
  end if;
  update account set plan = new_plan, payment_failed_at = null, updated_at = at,
      trial_ends_at = case when trial_ends_at > at then at else trial_ends_at end
    where id = coach;
end $$;

-- As before, with the failed payment.
create or replace function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json, is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id,
        'email', a.email,
        'emailVerified', a.email_verified_at is not null,
        'firstName', a.first_name,
        'lastName', a.last_name,
        'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name,
        'timezone', a.timezone,
        'weekStart', a.week_start,
        'timeFormat', a.time_format,
        'primaryColor', a.primary_color,
        'logoUrl', a.logo_url,
        'subdomain', a.subdomain,
        'onboardingCompleted', a.onboarding_completed,
        'isAdmin', a.is_admin,
        'plan', effective_plan(a.plan, a.trial_ends_at, at),
        'trialEndsAt', case when a.trial_ends_at > at
          then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null,
        'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null),
    (select json_build_object(
        'id', t.id,
        'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name),
        'bio', t.bio,
        'primaryColor', t.primary_color,
        'logoUrl', t.logo_url,
        'subdomain', t.subdomain,
        'plan', effective_plan(t.plan, t.trial_ends_at, at))
      from account t where t.subdomain = host_label and t.removed_at is null),
    exists (select 1 from session s where s.token_hash = session_hash and s.last_seen_at < at - interval '5 minutes');
end $$;

alter function set_paid_plan(text, timestamptz, timestamptz) owner to practice_lookup;
revoke all on function set_paid_plan(text, timestamptz, timestamptz) from public;
grant execute on function set_paid_plan(text, timestamptz, timestamptz) to practice_app;
`

const currency = `
alter table account
  add column currency text not null default 'usd',
  add constraint account_currency_format check (currency ~ '^[a-z]{3}$');

-- As before, with the currency.
create or replace function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json, is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id,
        'email', a.email,
        'emailVerified', a.email_verified_at is not null,
        'firstName', a.first_name,
        'lastName', a.last_name,
        'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name,
        'timezone', a.timezone,
        'weekStart', a.week_start,
        'timeFormat', a.time_format,
        'currency', a.currency,
        'primaryColor', a.primary_color,
        'logoUrl', a.logo_url,
        'subdomain', a.subdomain,
        'onboardingCompleted', a.onboarding_completed,
        'isAdmin', a.is_admin,
        'plan', effective_plan(a.plan, a.trial_ends_at, at),
        'trialEndsAt', case when a.trial_ends_at > at
          then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null,
        'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null),
    (select json_build_object(
        'id', t.id,
        'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name),
        'bio', t.bio,
        'primaryColor', t.primary_color,
        'logoUrl', t.logo_url,
        'subdomain', t.subdomain,
        'plan', effective_plan(t.plan, t.trial_ends_at, at))
      from account t where t.subdomain = host_label and t.removed_at is null),
    exists (select 1 from session s where s.token_hash = session_hash and s.last_seen_at < at - interval '5 minutes');
end $$;
`

const contentOfLists = `
-- Keeps a row's content up to date. Arguments: the table, then the columns with light markup, or paths into their JSON.
create or replace function index_content() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  key text;
begin
  if tg_op <> 'DELETE' then
    select content_key(string_agg(value #>> '{}', chr(10) order by position)) into key
      from unnest(tg_argv[1:]) with ordinality as columns (path, position),
        jsonb_path_query(to_jsonb(new), ('$.' || path)::jsonpath) as value;
  end if;
  if key <> '' then
    insert into search_content (coach_id, kind, record_id, content) values (new.coach_id, tg_argv[0], new.id, key)
      on conflict (coach_id, kind, record_id) do update set content = excluded.content;
  elsif tg_op <> 'INSERT' then
    delete from search_content where coach_id = old.coach_id and kind = tg_argv[0] and record_id = old.id;
  end if;
  return null;
end $$;
`

const hostOwner = `
-- What a coach's session tells about their account.
create function describe_account(a account, at timestamptz) returns json
language sql stable set search_path = public, pg_temp as $$
  select json_build_object(
    'id', a.id,
    'email', a.email,
    'emailVerified', a.email_verified_at is not null,
    'firstName', a.first_name,
    'lastName', a.last_name,
    'profileImageUrl', a.profile_image_url,
    'businessName', a.business_name,
    'timezone', a.timezone,
    'weekStart', a.week_start,
    'timeFormat', a.time_format,
    'currency', a.currency,
    'primaryColor', a.primary_color,
    'logoUrl', a.logo_url,
    'subdomain', a.subdomain,
    'onboardingCompleted', a.onboarding_completed,
    'isAdmin', a.is_admin,
    'plan', effective_plan(a.plan, a.trial_ends_at, at),
    'trialEndsAt', case when a.trial_ends_at > at
      then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
    'trialUsed', a.trial_ends_at is not null,
    'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
alter function describe_account(account, timestamptz) owner to practice_lookup;
revoke all on function describe_account(account, timestamptz) from public;

-- As before, with the account of the host's coach, in whose name visitors act.
drop function find_viewer(bytea, text, timestamptz);
create function find_viewer(session_hash bytea, host_label text, at timestamptz)
returns table (account json, tenant json, owner json, is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  host account;
begin
  if host_label is not null then
    select * into host from account t where t.subdomain = host_label and t.removed_at is null;
  end if;
  return query select
    (select describe_account(a, at)
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null),
    case when host.id is not null then json_build_object(
      'id', host.id,
      'name', coalesce(host.business_name, host.first_name || ' ' || host.last_name),
      'bio', host.bio,
      'primaryColor', host.primary_color,
      'logoUrl', host.logo_url,
      'subdomain', host.subdomain,
      'plan', effective_plan(host.plan, host.trial_ends_at, at)) end,
    case when host.id is not null then describe_account(host, at) end,
    exists (select 1 from session s where s.token_hash = session_hash and s.last_seen_at < at - interval '5 minutes');
end $$;
alter function find_viewer(bytea, text, timestamptz) owner to practice_lookup;
revoke all on function find_viewer(bytea, text, timestamptz) from public;
grant execute on function find_viewer(bytea, text, timestamptz) to practice_app;
`

const coachSearch = `
-- For the administrator's list of coaches.
alter table account add column search_text text generated always as
  (search_key(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(business_name, ''))) stored;
create index account_newest on account (created_at desc, id desc);
`

const onboarding = `
alter table account add column onboarding_steps text[] not null default '{}',
  add constraint account_onboarding_steps_allowed check (onboarding_steps <@ array['payment', 'branding']);
`

const viewerBranches = `
-- As before. Without settings of its own it becomes a part of the queries that use it.
create or replace function describe_account(a account, at timestamptz) returns json
language sql stable as $$
  select json_build_object(
    'id', a.id,
    'email', a.email,
    'emailVerified', a.email_verified_at is not null,
    'firstName', a.first_name,
    'lastName', a.last_name,
    'profileImageUrl', a.profile_image_url,
    'businessName', a.business_name,
    'timezone', a.timezone,
    'weekStart', a.week_start,
    'timeFormat', a.time_format,
    'currency', a.currency,
    'primaryColor', a.primary_color,
    'logoUrl', a.logo_url,
    'subdomain', a.subdomain,
    'onboardingCompleted', a.onboarding_completed,
    'isAdmin', a.is_admin,
    'plan', effective_plan(a.plan, a.trial_ends_at, at),
    'trialEndsAt', case when a.trial_ends_at > at
      then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
    'trialUsed', a.trial_ends_at is not null,
    'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- As before. Nearly all requests have either a session or a coach's host: each is one short query.
drop function find_viewer(bytea, text, timestamptz);
create function find_viewer(session_hash bytea, host_label text, at timestamptz,
  out account json, out tenant json, out owner json, out is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if session_hash is not null then
    select describe_account(a, at), s.last_seen_at < at - interval '5 minutes' into account, is_stale
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null;
  end if;
  if host_label is not null then
    select json_build_object(
        'id', host.id,
        'name', coalesce(host.business_name, host.first_name || ' ' || host.last_name),
        'bio', host.bio,
        'primaryColor', host.primary_color,
        'logoUrl', host.logo_url,
        'subdomain', host.subdomain,
        'plan', effective_plan(host.plan, host.trial_ends_at, at)),
      describe_account(host, at)
      into tenant, owner
      from account host where host.subdomain = host_label and host.removed_at is null;
  end if;
end $$;
alter function find_viewer(bytea, text, timestamptz) owner to practice_lookup;
revoke all on function find_viewer(bytea, text, timestamptz) from public;
grant execute on function find_viewer(bytea, text, timestamptz) to practice_app;
`

const signedRows = requireSignedActor(
  'api_key',
  'authenticator_app',
  'recovery_code',
  'custom_domain',
  'stored_file',
  'file_upload',
  'upload',
  'security_event',
)

/** Oldest first. A released migration never changes: add the next one at the end. */
export const platformMigrations = [
  // Accounts, sessions, tokens, uploads, the history and the search.
  migration('platform/0001-initial', /* sql */ `${accounts}${lookupFunctions}${history}${search}`),
  // Verified email addresses, devices, second factors, passkeys and the owner's security log.
  migration('platform/0002-account-security', /* sql */ accountSecurity),
  // The look-up of administrators.
  migration('platform/0003-administrators', /* sql */ administrators),
  // The rights of the serving role to accounts, and who and when in the history.
  migration('platform/0004-database-rights', /* sql */ databaseRights),
  // Times of day in time zones that Postgres doesn't know.
  migration('platform/0005-local-time', /* sql */ localTime),
  // Subdomains that stay reserved for the coach who gave them up.
  migration('platform/0006-released-subdomains', /* sql */ releasedSubdomains),
  // The signature of who acts in a transaction.
  migration('platform/0007-signatures', /* sql */ signatures),
  // Subdomains of coaches who were erased.
  migration('platform/0008-erased-subdomains', /* sql */ erasedSubdomains),
  // Which coaches have two-step sign-in, for the administrator.
  migration('platform/0009-two-step-sign-in', /* sql */ twoStepLookup),
  // On which day a week starts, and how times are written.
  migration('platform/0010-time-settings', /* sql */ timeSettings),
  // Plans that are paid for.
  migration('platform/0011-subscriptions', /* sql */ subscriptions),
  // The currency in which a coach sells.
  migration('platform/0012-currency', /* sql */ currency),
  // Lists of texts in the content search.
  migration('platform/0013-content-of-lists', /* sql */ contentOfLists),
  // Files in the store, and files that come in parts.
  migration('platform/0014-files', /* sql */ files),
  // The account of the coach whose host is visited, in the look-up of each request.
  migration('platform/0015-host-owner', /* sql */ hostOwner),
  // The administrator's search of coaches.
  migration('platform/0016-coach-search', /* sql */ coachSearch),
  // The steps of the onboarding that a coach has completed.
  migration('platform/0017-onboarding', /* sql */ onboarding),
  // The look-up of each request in shorter queries.
  migration('platform/0018-viewer-branches', /* sql */ viewerBranches),
  // Domains of coaches.
  migration('platform/0019-custom-domains', /* sql */ customDomains),
  // Keys for the API.
  migration('platform/0020-api-keys', /* sql */ apiKeys),
  // Sessions that are valid at the domain of a coach alone.
  migration('platform/0021-domain-sessions', /* sql */ domainSessions),
  // Keys, second factors, domains and files, which are written only in a signed transaction of their coach.
  migration('platform/0022-signed-rows', /* sql */ signedRows),
  // Exports of whole practices.
  migration('platform/0023-practice-exports', /* sql */ practiceExports),
  // Accounts that their owners have closed.
  migration('platform/0024-closed-accounts', /* sql */ closedAccounts),
  // Modules that are switched off for plans and coaches.
  migration('platform/0025-module-switches', /* sql */ moduleSwitches),
  // The emails that coaches want.
  migration('platform/0026-notification-choices', /* sql */ notificationChoices),
  // Reports about clients and prospects who were permanently deleted.
  migration('platform/0027-erasure-reports', /* sql */ erasureReports),
  // When an export failed.
  migration('platform/0028-failed-exports', /* sql */ failedExports),
]
