import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'webhooks/0001-initial',
    /* sql */ `
create table webhook_endpoint (
  coach_id bigint not null,
  id bigserial not null,
  url text not null,
  events text[] not null,
  secret text not null,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint webhook_endpoint_url_length check (char_length(url) <= 2000)
);
create table webhook_delivery (
  coach_id bigint not null,
  id bigserial not null,
  endpoint_id bigint not null,
  message_id text not null,
  event text not null,
  body text not null,
  state text not null default 'pending',
  attempts int not null default 0,
  response_status int,
  response text,
  problem text,
  created_at timestamptz(3) not null,
  attempted_at timestamptz(3),
  next_attempt_at timestamptz(3),
  primary key (coach_id, id),
  constraint webhook_delivery_coach_id_endpoint_id_foreign foreign key (coach_id, endpoint_id)
    references webhook_endpoint (coach_id, id) on delete cascade,
  constraint webhook_delivery_state_allowed check (state in ('pending', 'delivered', 'failed')),
  constraint webhook_delivery_message_id_length check (char_length(message_id) <= 100),
  constraint webhook_delivery_event_length check (char_length(event) <= 100),
  constraint webhook_delivery_body_length check (char_length(body) <= 50000),
  constraint webhook_delivery_response_length check (char_length(response) <= 500),
  constraint webhook_delivery_problem_length check (char_length(problem) <= 500)
);
create index webhook_delivery_newest on webhook_delivery (coach_id, endpoint_id, id desc);
create index webhook_delivery_time on webhook_delivery (coach_id, created_at);
${enableTenantPolicy('webhook_endpoint')}
${enableTenantPolicy('webhook_delivery')}
${requireSignedActor('webhook_endpoint', 'webhook_delivery')}
`,
  ),
  // The log of all coaches for administrators: without what is sent, responses and secrets, and of addresses the host.
  migration(
    'webhooks/0002-delivery-log',
    /* sql */ `
create index webhook_delivery_states on webhook_delivery (state, id desc);
create policy webhook_endpoint_lookup on webhook_endpoint for select to practice_lookup using (true);
create policy webhook_delivery_lookup on webhook_delivery for select to practice_lookup using (true);
grant select (coach_id, id, url, disabled_at) on webhook_endpoint to practice_lookup;
grant select (coach_id, id, endpoint_id, event, state, attempts, response_status, problem, created_at, attempted_at,
  next_attempt_at) on webhook_delivery to practice_lookup;

-- A page of the deliveries in a state, newest first, for an administrator. Nothing for anyone else.
create function list_webhook_deliveries(in_state text, before_id bigint, page_size bigint)
returns table (
  id bigint, coach_id bigint, coach_email text, event text, host text, state text, attempts int, response_status int,
  problem text, created_at timestamptz, attempted_at timestamptz, next_attempt_at timestamptz, can_retry boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select 1 from account a
    where a.id = nullif(current_setting('app.coach_id', true), '')::bigint and a.is_admin and a.removed_at is null
  ) then return; end if;
  return query
    select d.id, d.coach_id, a.email, d.event, substring(e.url from '^[a-z]+://([^/?#]+)'), d.state, d.attempts,
      d.response_status, d.problem, d.created_at::timestamptz, d.attempted_at::timestamptz,
      d.next_attempt_at::timestamptz, d.state = 'failed' and e.disabled_at is null and a.id is not null
    from webhook_delivery d
      join webhook_endpoint e on e.coach_id = d.coach_id and e.id = d.endpoint_id
      left join account a on a.id = d.coach_id and a.removed_at is null
    where d.state = in_state and (before_id is null or d.id < before_id)
    order by d.id desc limit page_size;
end $$;
alter function list_webhook_deliveries(text, bigint, bigint) owner to practice_lookup;
revoke all on function list_webhook_deliveries(text, bigint, bigint) from public;
grant execute on function list_webhook_deliveries(text, bigint, bigint) to practice_app;
`,
  ),
  // A delivery says that a request is on its way, so that nobody sends another one in the meantime.
  migration('webhooks/0003-claims', /* sql */ 'alter table webhook_delivery add column claimed_until timestamptz(3);'),
  migration(
    'webhooks/0004-delivery-log-by-coach',
    /* sql */ `
create index webhook_delivery_coach_states on webhook_delivery (coach_id, state, id desc);

drop function list_webhook_deliveries(text, bigint, bigint);
-- A page of the deliveries in a state, newest first, for an administrator. Nothing for anyone else. A term filters by
-- the coach: the one with this email address, or else all with it in their name, email or business name.
create function list_webhook_deliveries(in_state text, term text, before_id bigint, page_size bigint)
returns table (
  id bigint, coach_id bigint, coach_email text, event text, host text, state text, attempts int, response_status int,
  problem text, created_at timestamptz, attempted_at timestamptz, next_attempt_at timestamptz, can_retry boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  key text := nullif(search_key(term), '');
  coaches bigint[];
begin
  if not exists (
    select 1 from account a
    where a.id = nullif(current_setting('app.coach_id', true), '')::bigint and a.is_admin and a.removed_at is null
  ) then return; end if;
  if trim(term) <> '' then
    select array_agg(a.id) into coaches from account a where lower(a.email) = lower(trim(term)) and a.removed_at is null;
    if coaches is null then
      select coalesce(array_agg(a.id), '{}') into coaches from account a
        where strpos(a.search_text, key) > 0 and a.removed_at is null;
    end if;
  end if;
  return query
    select d.id, d.coach_id, a.email, d.event, substring(e.url from '^[a-z]+://([^/?#]+)'), d.state, d.attempts,
      d.response_status, d.problem, d.created_at::timestamptz, d.attempted_at::timestamptz,
      d.next_attempt_at::timestamptz, d.state = 'failed' and e.disabled_at is null and a.id is not null
    from webhook_delivery d
      join webhook_endpoint e on e.coach_id = d.coach_id and e.id = d.endpoint_id
      left join account a on a.id = d.coach_id and a.removed_at is null
    where d.state = in_state and (before_id is null or d.id < before_id)
      and (coaches is null or d.coach_id = any(coaches))
    order by d.id desc limit page_size;
end $$;
alter function list_webhook_deliveries(text, text, bigint, bigint) owner to practice_lookup;
revoke all on function list_webhook_deliveries(text, text, bigint, bigint) from public;
grant execute on function list_webhook_deliveries(text, text, bigint, bigint) to practice_app;
`,
  ),
]
