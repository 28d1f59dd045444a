import { migration } from '#db/migration.ts'
import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'stripe/0001-initial',
    /* sql */ `
create table stripe_account (
  coach_id bigint not null,
  id bigserial not null,
  account_id text,
  card_payments text not null default 'restricted',
  needs_action boolean not null default true,
  disconnected_at timestamptz(3),
  synced_at timestamptz(3),
  reconciled_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_account_card_payments_allowed
    check (card_payments in ('active', 'pending', 'restricted', 'unsupported')),
  constraint stripe_account_account_id_length check (char_length(account_id) <= 255)
);
create unique index stripe_account_coach on stripe_account (coach_id);
create unique index stripe_account_key on stripe_account (coach_id, account_id);
create index stripe_account_lookup on stripe_account (account_id);
${enableLookupPolicy('stripe_account')}

create table stripe_event (
  coach_id bigint not null,
  id bigserial not null,
  account_id text,
  event_id text not null,
  type text not null,
  object_id text not null,
  created_at timestamptz(3) not null,
  applied_at timestamptz(3),
  primary key (coach_id, id),
  constraint stripe_event_account_id_length check (char_length(account_id) <= 255),
  constraint stripe_event_event_id_length check (char_length(event_id) <= 255),
  constraint stripe_event_type_length check (char_length(type) <= 255),
  constraint stripe_event_object_id_length check (char_length(object_id) <= 255)
);
create unique index stripe_event_key on stripe_event (coach_id, coalesce(account_id, ''), event_id);
create index stripe_event_time on stripe_event (coach_id, created_at);
${enableTenantPolicy('stripe_event')}

-- The coach of an account at Stripe, before the tenant is known.
create function find_stripe_coach(stripe_account text) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select s.coach_id from stripe_account s where s.account_id = stripe_account limit 1);
end $$;
alter function find_stripe_coach(text) owner to practice_lookup;
revoke all on function find_stripe_coach(text) from public;
grant execute on function find_stripe_coach(text) to practice_app;
`,
  ),
]
