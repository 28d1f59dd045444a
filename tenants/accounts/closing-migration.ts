export const closedAccounts = /* sql */ `
-- The owner closed the account then: it is removed, as by an administrator, and can be reopened by the owner. Counts
-- while it is the time of the removal.
alter table account add column closed_at timestamptz(3), add column closing_reminded_at timestamptz(3);
drop trigger account_signed_update on account;
create trigger account_signed_update
  after update of email, email_verified_at, removed_at, closed_at, subdomain on account
  for each row execute function require_signed_actor('account');

-- As before, with what signs in to a closed account.
create or replace function find_account_by_email(address text) returns table (id bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id from account a
    where lower(a.email) = lower(address) and (a.removed_at is null or a.closed_at = a.removed_at);
end $$;

create or replace function find_credentials(address text, token text) returns table (id bigint, password_hash text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if is_signed(token, 'credentials:' || address) is not true then
    raise exception 'the request for a password hash is not signed' using errcode = 'insufficient_privilege';
  end if;
  return query select a.id, a.password_hash from account a
    where lower(a.email) = lower(address) and (a.removed_at is null or a.closed_at = a.removed_at);
end $$;

create or replace function find_token_coach(token_kind text, hash bytea, at timestamptz) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select t.coach_id from one_time_token t join account a on a.id = t.coach_id
    where t.token_hash = hash and t.kind = token_kind and t.used_at is null and t.expires_at > at
      and (a.removed_at is null or a.closed_at = a.removed_at));
end $$;

create or replace function find_passkey(credential bytea)
returns table (coach_id bigint, id bigint, public_key bytea, sign_count bigint, transports text[])
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select p.coach_id, p.id, p.public_key, p.sign_count, p.transports
    from passkey p join account a on a.id = p.coach_id
    where p.credential_id = credential and (a.removed_at is null or a.closed_at = a.removed_at);
end $$;

-- As before; the key of a closed account has none.
create or replace function find_api_key(key_hash bytea, at timestamptz)
returns table (account json, key_id bigint, scopes text[], is_stale boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select case when a.removed_at is null then describe_account(a, at) end, k.id, k.scopes,
      coalesce(k.last_used_at < at - interval '1 minute', true)
    from api_key k join account a on a.id = k.coach_id
    where k.token_hash = key_hash and (k.expires_at is null or k.expires_at > at)
      and (a.removed_at is null or a.closed_at = a.removed_at)
$$;

-- As before, and the closed account of a session, on the platform's host alone. It is not the account: nothing but what
-- asks for it finds it.
drop function find_viewer(bytea, text, timestamptz);
create function find_viewer(session_hash bytea, host_label text, at timestamptz,
  out account json, out tenant json, out owner json, out is_stale boolean, out closed json)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if session_hash is not null then
    select describe_account(a, at), s.last_seen_at < at - interval '5 minutes' into account, is_stale
      from session s join account a on a.id = s.coach_id
      where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
        and (s.domain is null or s.domain = host_label) and a.removed_at is null;
    if not found and host_label is null then
      select json_build_object('account', describe_account(a, at),
          'closedAt', to_char(a.closed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        into closed
        from session s join account a on a.id = s.coach_id
        where s.token_hash = session_hash and s.expires_at > at and s.last_seen_at > at - interval '7 days'
          and s.domain is null and a.closed_at = a.removed_at;
    end if;
  end if;
  if strpos(host_label, '.') > 0 then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.custom_domain = host_label and host.removed_at is null;
  elsif host_label is not null then
    select describe_host(host, at), describe_account(host, at) into tenant, owner
      from account host where host.subdomain = host_label and host.removed_at is null;
  end if;
end $$;
alter function find_viewer(bytea, text, timestamptz) owner to practice_lookup;
revoke all on function find_viewer(bytea, text, timestamptz) from public;
grant execute on function find_viewer(bytea, text, timestamptz) to practice_app;
`
