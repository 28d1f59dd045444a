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
]
