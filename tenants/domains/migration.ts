import { enableTenantPolicy } from '#db/policies.ts'

export const customDomains = `
-- The proved domain is in the account too, so that the look-up of each request reads one row.
alter table account
  add column custom_domain text,
  add constraint account_custom_domain_key unique (custom_domain),
  add constraint account_custom_domain_length check (char_length(custom_domain) <= 253);
create trigger account_signed_domain after update of custom_domain on account
  for each row execute function require_signed_actor('account');

create table custom_domain (
  coach_id bigint not null,
  id bigserial not null,
  hostname text not null,
  token text not null,
  verified_at timestamptz(3),
  problem text,
  failures int not null default 0,
  checked_at timestamptz(3),
  next_check_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint custom_domain_coach_key unique (coach_id),
  constraint custom_domain_hostname_length check (char_length(hostname) <= 253),
  constraint custom_domain_token_format check (token ~ '^[0-9a-f]{32}$'),
  constraint custom_domain_problem_allowed check (problem in
    ('no_proof', 'other_proof', 'no_address', 'other_address', 'other_ipv6', 'no_answer', 'taken'))
);
${enableTenantPolicy('custom_domain')}

-- As before, with the proved domain.
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
    'customDomain', a.custom_domain,
    'onboardingCompleted', a.onboarding_completed,
    'isAdmin', a.is_admin,
    'plan', effective_plan(a.plan, a.trial_ends_at, at),
    'trialEndsAt', case when a.trial_ends_at > at
      then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
    'trialUsed', a.trial_ends_at is not null,
    'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- The coach as visitors of their host may see them. Like describe_account, a part of the queries that use it.
create function describe_host(host account, at timestamptz) returns json
language sql stable as $$
  select json_build_object(
    'id', host.id,
    'name', coalesce(host.business_name, host.first_name || ' ' || host.last_name),
    'bio', host.bio,
    'primaryColor', host.primary_color,
    'logoUrl', host.logo_url,
    'subdomain', host.subdomain,
    'customDomain', host.custom_domain,
    'plan', effective_plan(host.plan, host.trial_ends_at, at))
$$;
alter function describe_host(account, timestamptz) owner to practice_lookup;
revoke all on function describe_host(account, timestamptz) from public;

-- As before; the host is a subdomain, or a domain, which has a dot.
create or replace function find_viewer(session_hash bytea, host_label text, at timestamptz,
  out account json, out tenant json, out owner json, out is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if session_hash is not null then
    select describe_account(a, at), s.last_seen_at < at - interval '5 minutes' into account, is_stale
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and a.removed_at is null;
  end if;
  if strpos(host_label, '.') > 0 then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.custom_domain = host_label and host.removed_at is null;
  elsif host_label is not null then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.subdomain = host_label and host.removed_at is null;
  end if;
end $$;
`

export const domainSessions = /* sql */ `
-- The domain of a coach at which the browser signed in; null: an address of the platform.
alter table session add column domain text,
  add constraint session_domain_length check (char_length(domain) <= 253);

-- As before; a session of a domain is valid there alone.
create or replace function find_viewer(session_hash bytea, host_label text, at timestamptz,
  out account json, out tenant json, out owner json, out is_stale boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if session_hash is not null then
    select describe_account(a, at), s.last_seen_at < at - interval '5 minutes' into account, is_stale
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and (s.domain is null or s.domain = host_label) and a.removed_at is null;
  end if;
  if strpos(host_label, '.') > 0 then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.custom_domain = host_label and host.removed_at is null;
  elsif host_label is not null then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.subdomain = host_label and host.removed_at is null;
  end if;
end $$;
`
