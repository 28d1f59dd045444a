import { enableLookupPolicy } from '#db/policies.ts'

export const apiKeys = /* sql */ `
create table api_key (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  token_hash bytea not null,
  hint text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (coach_id, id),
  constraint api_key_token_hash_key unique (token_hash),
  constraint api_key_name_length check (char_length(name) <= 60),
  constraint api_key_hint_length check (char_length(hint) <= 10),
  constraint api_key_scopes_count check (cardinality(scopes) >= 1 and cardinality(scopes) <= 60)
);
${enableLookupPolicy('api_key')}
-- The coach of a key, before a tenant is known. Without those of removed coaches and those that have expired.
create function find_api_key(key_hash bytea, at timestamptz)
returns table (account json, key_id bigint, scopes text[], is_stale boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select describe_account(a, at), k.id, k.scopes, coalesce(k.last_used_at < at - interval '1 minute', true)
    from api_key k join account a on a.id = k.coach_id
    where k.token_hash = key_hash and (k.expires_at is null or k.expires_at > at) and a.removed_at is null
$$;
alter function find_api_key(bytea, timestamptz) owner to practice_lookup;
revoke all on function find_api_key(bytea, timestamptz) from public;
grant execute on function find_api_key(bytea, timestamptz) to practice_app;
`
