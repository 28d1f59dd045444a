import { planNames } from '../accounts/plans.ts'

const planList = planNames.map((name) => `'${name}'`).join(', ')

export const moduleSwitches = /* sql */ `
-- The modules that a plan is without, and those that an administrator switched on (true) or off (false) for a coach,
-- whatever the plan has.
create table plan_module_switch (
  plan text not null,
  module text not null,
  primary key (plan, module),
  constraint plan_module_switch_plan_allowed check (plan in (${planList})),
  constraint plan_module_switch_module_length check (char_length(module) <= 60)
);
alter table plan_module_switch enable row level security;
alter table plan_module_switch force row level security;
create policy plan_module_switch_read on plan_module_switch for select using (true);
create policy plan_module_switch_write on plan_module_switch to practice_lookup using (true) with check (true);
grant select, insert, delete on plan_module_switch to practice_lookup;
alter table account add column module_switches jsonb not null default '{}',
  add constraint account_module_switches_object check (jsonb_typeof(module_switches) = 'object');

-- The modules that are off for a coach with these switches on a plan, without those that depend on them.
create function list_modules_off(switches jsonb, on_plan text) returns json
language plpgsql stable as $$
begin
  if switches = '{}' and not exists (select from plan_module_switch s where s.plan = on_plan) then
    return '[]';
  end if;
  return (select coalesce(json_agg(o.module order by o.module), '[]') from (
    select s.module from plan_module_switch s where s.plan = on_plan and not switches ? s.module
    union select key from jsonb_each(switches) where value = 'false') o);
end $$;

-- The coaches for whom one of the modules is off.
create function list_coaches_without(modules text[], at timestamptz) returns table (id bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id from account a where exists (
    select from unnest(modules) m where case when a.module_switches ? m then a.module_switches -> m = 'false'
      else exists (select from plan_module_switch s
        where s.plan = effective_plan(a.plan, a.trial_ends_at, at) and s.module = m) end);
end $$;

-- Replaces the switches of the transaction's account. The actor must be an administrator.
create function set_module_switches(switches jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  coach bigint := nullif(current_setting('app.coach_id', true), '')::bigint;
begin
  if not is_acting_administrator(get_actor(coach)) then
    raise exception 'only an administrator switches modules' using errcode = 'insufficient_privilege';
  end if;
  update account set module_switches = switches where id = coach;
end $$;

-- Switches modules of a plan. The actor must be an administrator.
create function switch_plan_modules(on_plan text, to_off text[], to_on text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not is_acting_administrator(get_actor(nullif(current_setting('app.coach_id', true), '')::bigint)) then
    raise exception 'only an administrator switches modules' using errcode = 'insufficient_privilege';
  end if;
  delete from plan_module_switch s where s.plan = on_plan and s.module = any(to_on);
  insert into plan_module_switch (plan, module) select on_plan, unnest(to_off) on conflict do nothing;
end $$;

alter function list_coaches_without(text[], timestamptz) owner to practice_lookup;
alter function set_module_switches(jsonb) owner to practice_lookup;
alter function switch_plan_modules(text, text[], text[]) owner to practice_lookup;
revoke all on function list_coaches_without(text[], timestamptz), set_module_switches(jsonb),
  switch_plan_modules(text, text[], text[]) from public;
grant execute on function list_coaches_without(text[], timestamptz), set_module_switches(jsonb),
  switch_plan_modules(text, text[], text[]) to practice_app;
grant update (module_switches) on account to practice_lookup;

-- As before, with the modules that are off.
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
    'modulesOff', list_modules_off(a.module_switches, effective_plan(a.plan, a.trial_ends_at, at)),
    'trialEndsAt', case when a.trial_ends_at > at
      then to_char(a.trial_ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
    'trialUsed', a.trial_ends_at is not null,
    'paymentFailedAt', to_char(a.payment_failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
`
