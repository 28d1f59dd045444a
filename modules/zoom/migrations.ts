import { migration } from '#db/migration.ts'
import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'zoom/0001-initial',
    /* sql */ `
create table zoom_connection (
  coach_id bigint not null,
  id bigserial not null,
  user_id text not null,
  email text not null,
  state text not null default 'connected',
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  failures int not null default 0,
  last_error text,
  next_try_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint zoom_connection_state_allowed check (state in ('connected', 'failing', 'needs_reconnect')),
  constraint zoom_connection_user_id_length check (char_length(user_id) <= 255),
  constraint zoom_connection_email_length check (char_length(email) <= 254),
  constraint zoom_connection_last_error_length check (char_length(last_error) <= 255)
);
create unique index zoom_connection_coach on zoom_connection (coach_id);
create index zoom_connection_user on zoom_connection (user_id);
${enableLookupPolicy('zoom_connection')}

create table zoom_token (
  coach_id bigint not null,
  id bigserial not null,
  connection_id bigint not null,
  refresh_token text not null,
  access_token text not null,
  access_token_expires_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint zoom_token_coach_id_connection_id_foreign foreign key (coach_id, connection_id)
    references zoom_connection (coach_id, id) on delete cascade
);
create unique index zoom_token_coach on zoom_token (coach_id);
${enableTenantPolicy('zoom_token')}

create table zoom_connect_attempt (
  coach_id bigint not null,
  id bigserial not null,
  state_hash bytea not null,
  code_verifier text not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, id)
);
create unique index zoom_connect_attempt_state on zoom_connect_attempt (coach_id, state_hash);
${enableTenantPolicy('zoom_connect_attempt')}

create table zoom_event (
  coach_id bigint not null,
  id bigserial not null,
  body_hash bytea not null,
  type text not null,
  created_at timestamptz(3) not null,
  applied_at timestamptz(3),
  primary key (coach_id, id),
  constraint zoom_event_type_length check (char_length(type) <= 255)
);
create unique index zoom_event_key on zoom_event (coach_id, body_hash);
create index zoom_event_time on zoom_event (coach_id, created_at);
${enableTenantPolicy('zoom_event')}

-- The coaches of a user at Zoom, before the tenant is known.
create function find_zoom_coaches(zoom_user text) returns setof bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select c.coach_id from zoom_connection c where c.user_id = zoom_user order by c.coach_id limit 100;
end $$;
alter function find_zoom_coaches(text) owner to practice_lookup;
revoke all on function find_zoom_coaches(text) from public;
grant execute on function find_zoom_coaches(text) to practice_app;
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration('zoom/0002-signed-rows', /* sql */ `${requireSignedActor('zoom_connection', 'zoom_token')}`),
]
