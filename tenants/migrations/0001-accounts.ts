import { migration } from '#db/migration.ts'

/** Accounts, sessions, one-time links, retries, throttling, and the look-ups that happen before a tenant is known. */
export const accounts = migration(
  'house/0001-accounts',
  /* sql */ `
create table "account" ("id" bigserial primary key, "email" text not null, "password_hash" text null, "first_name" text not null, "last_name" text not null, "profile_image_url" text null, "role" text not null default 'coach', "business_name" text null, "bio" text null, "phone" text null, "timezone" text not null default 'America/New_York', "primary_color" text not null default '#6366f1', "logo_url" text null, "subdomain" text null, "onboarding_completed" boolean not null default false, "is_admin" boolean not null default false, "plan" text not null default 'free', "trial_ends_at" timestamptz(3) null, "removed_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
create unique index "account_email_key" on "account" (lower(email));
alter table "account" add constraint "account_subdomain_key" unique ("subdomain");
alter table "account" add constraint "account_email_length" check (char_length(email) <= 254);
alter table "account" add constraint "account_first_name_length" check (char_length(first_name) <= 255);
alter table "account" add constraint "account_last_name_length" check (char_length(last_name) <= 255);
alter table "account" add constraint "account_business_name_length" check (char_length(business_name) <= 255);
alter table "account" add constraint "account_bio_length" check (char_length(bio) <= 50000);
alter table "account" add constraint "account_phone_length" check (char_length(phone) <= 255);
alter table "account" add constraint "account_timezone_length" check (char_length(timezone) <= 255);
alter table "account" add constraint "account_logo_url_length" check (char_length(logo_url) <= 2048);
alter table "account" add constraint "account_role_known" check (role in ('coach'));
alter table "account" add constraint "account_plan_known" check (plan in ('free', 'pro', 'premium'));
alter table "account" add constraint "account_primary_color_shape" check (primary_color ~ '^#[0-9a-f]{6}$');
alter table "account" add constraint "account_subdomain_shape" check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$');
alter table "account" enable row level security;
alter table "account" force row level security;
create policy "account_tenant" on "account" using (id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (id = nullif(current_setting('app.coach_id', true), '')::bigint);
create policy "account_lookup" on "account" for select to "practice_lookup" using (true);

create table "session" ("coach_id" bigint not null, "id" bigserial not null, "token_hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("coach_id", "id"));
alter table "session" add constraint "session_token_hash_key" unique ("token_hash");
alter table "session" enable row level security;
alter table "session" force row level security;
create policy "session_tenant" on "session" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
create policy "session_lookup" on "session" for select to "practice_lookup" using (true);

create table "one_time_token" ("coach_id" bigint not null, "id" bigserial not null, "kind" text not null, "token_hash" bytea not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("coach_id", "id"));
alter table "one_time_token" add constraint "one_time_token_hash_key" unique ("token_hash");
alter table "one_time_token" add constraint "one_time_token_kind_known" check (kind in ('reset', 'invitation', 'handover'));
alter table "one_time_token" enable row level security;
alter table "one_time_token" force row level security;
create policy "one_time_token_tenant" on "one_time_token" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
create policy "one_time_token_lookup" on "one_time_token" for select to "practice_lookup" using (true);

create table "retry" ("coach_id" bigint not null, "key" text not null, "request_hash" bytea not null, "status" int null, "body" text null, "created_at" timestamptz(3) not null, primary key ("coach_id", "key"));
alter table "retry" add constraint "retry_key_length" check (char_length(key) <= 255);
alter table "retry" enable row level security;
alter table "retry" force row level security;
create policy "retry_tenant" on "retry" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);

create table "throttle" ("key" text not null, "failures" int not null, "window_ends_at" timestamptz(3) not null, primary key ("key"));

grant select on account, session, one_time_token to practice_lookup;

-- Who asks (by the hash of the cookie's token) and at whose door (by subdomain), in one call per request.
create function visitor(token bytea, host_label text, at timestamptz) returns table (account json, tenant json)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select
    (select json_build_object(
        'id', a.id, 'email', a.email, 'firstName', a.first_name, 'lastName', a.last_name, 'profileImageUrl', a.profile_image_url,
        'businessName', a.business_name, 'timezone', a.timezone, 'primaryColor', a.primary_color, 'logoUrl', a.logo_url,
        'subdomain', a.subdomain, 'onboardingCompleted', a.onboarding_completed, 'isAdmin', a.is_admin,
        'plan', case when a.plan = 'free' and a.trial_ends_at > at then 'pro' else a.plan end,
        'trialEndsAt', case when a.trial_ends_at > at then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
        'trialUsed', a.trial_ends_at is not null)
      from session s join account a on a.id = s.coach_id
      where s.token_hash = token and s.expires_at > at and a.removed_at is null),
    (select json_build_object(
        'id', t.id, 'name', coalesce(t.business_name, t.first_name || ' ' || t.last_name), 'bio', t.bio,
        'primaryColor', t.primary_color, 'logoUrl', t.logo_url, 'subdomain', t.subdomain,
        'plan', case when t.plan = 'free' and t.trial_ends_at > at then 'pro' else t.plan end)
      from account t where t.subdomain = host_label and t.removed_at is null);
end $$;

-- The account that an e-mail address signs in to.
create function sign_in_account(address text) returns table (id bigint, password_hash text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id, a.password_hash from account a where lower(a.email) = lower(address) and a.removed_at is null;
end $$;

-- Whose one-time link this is, while it can be used.
create function token_owner(wanted text, token bytea, at timestamptz) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select t.coach_id from one_time_token t join account a on a.id = t.coach_id
    where t.token_hash = token and t.kind = wanted and t.used_at is null and t.expires_at > at and a.removed_at is null);
end $$;

-- For the jobs that go from practice to practice.
create function every_coach() returns table (id bigint, removed_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id, a.removed_at from account a order by a.id;
end $$;

alter function visitor(bytea, text, timestamptz) owner to practice_lookup;
alter function sign_in_account(text) owner to practice_lookup;
alter function token_owner(text, bytea, timestamptz) owner to practice_lookup;
alter function every_coach() owner to practice_lookup;
revoke all on function visitor(bytea, text, timestamptz), sign_in_account(text), token_owner(text, bytea, timestamptz), every_coach() from public;
grant execute on function visitor(bytea, text, timestamptz), sign_in_account(text), token_owner(text, bytea, timestamptz), every_coach() to practice_app;
`,
)
