import { migration } from '#db/migration.ts'
import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Columns that are not in the history of a subscription. */
const subscriptionDetails = [
  'account_id',
  'session_id',
  'session_url',
  'session_expires_at',
  'sessions',
  'subscription_id',
  'schedule_id',
  'skipped_parts',
  'syncs',
  'next_charge_at',
  'session_count',
]

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
  migration(
    'stripe/0002-payments',
    /* sql */ `
create table stripe_customer (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  account_id text not null,
  customer_id text not null,
  primary key (coach_id, id),
  constraint stripe_customer_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade
);
create unique index stripe_customer_key on stripe_customer (coach_id, client_id, account_id);
${enableTenantPolicy('stripe_customer')}

create table stripe_checkout (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  account_id text not null,
  state text not null default 'open',
  amount bigint not null,
  session_id text,
  url text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_checkout_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint stripe_checkout_state_allowed
    check (state in ('open', 'replaced', 'processing', 'paid', 'failed', 'expired'))
);
create unique index stripe_checkout_open on stripe_checkout (coach_id, invoice_id) where state = 'open';
create index stripe_checkout_invoice on stripe_checkout (coach_id, invoice_id);
create unique index stripe_checkout_session on stripe_checkout (coach_id, session_id) where session_id is not null;
${enableTenantPolicy('stripe_checkout')}

create table stripe_refund (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  account_id text not null,
  payment_intent_id text not null,
  refund_id text,
  amount bigint not null,
  state text not null default 'pending',
  source text not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_refund_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint stripe_refund_state_allowed check (state in ('pending', 'succeeded', 'failed')),
  constraint stripe_refund_source_allowed check (source in ('invoice', 'excess', 'dashboard'))
);
create unique index stripe_refund_key on stripe_refund (coach_id, refund_id) where refund_id is not null;
create index stripe_refund_invoice on stripe_refund (coach_id, invoice_id);
create index stripe_refund_payment on stripe_refund (coach_id, payment_intent_id);
${enableTenantPolicy('stripe_refund')}

create table stripe_dispute (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  dispute_id text not null,
  status text not null,
  amount bigint not null,
  answer_by timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_dispute_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade
);
create unique index stripe_dispute_key on stripe_dispute (coach_id, dispute_id);
create index stripe_dispute_invoice on stripe_dispute (coach_id, invoice_id);
${enableTenantPolicy('stripe_dispute')}
`,
  ),
  // The coaches' own plans.
  migration(
    'stripe/0003-plans',
    /* sql */ `
create table plan_subscription (
  coach_id bigint not null,
  id bigserial not null,
  customer_id text not null,
  subscription_id text,
  status text,
  plan text not null default 'free',
  period_ends_at timestamptz(3),
  cancels_at timestamptz(3),
  checkout_id text,
  checkouts int not null default 0,
  syncs int not null default 0,
  synced_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint plan_subscription_customer_id_length check (char_length(customer_id) <= 255),
  constraint plan_subscription_subscription_id_length check (char_length(subscription_id) <= 255),
  constraint plan_subscription_status_length check (char_length(status) <= 40),
  constraint plan_subscription_plan_allowed check (plan in ('free', 'pro', 'premium')),
  constraint plan_subscription_checkout_id_length check (char_length(checkout_id) <= 255)
);
create unique index plan_subscription_coach on plan_subscription (coach_id);
create index plan_subscription_lookup on plan_subscription (customer_id);
${enableLookupPolicy('plan_subscription')}

-- The coach who is a customer of the platform, before the tenant is known.
create function find_plan_customer(customer text) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select s.coach_id from plan_subscription s where s.customer_id = customer limit 1);
end $$;
alter function find_plan_customer(text) owner to practice_lookup;
revoke all on function find_plan_customer(text) from public;
grant execute on function find_plan_customer(text) to practice_app;
`,
  ),
  migration(
    'stripe/0004-reconciliation',
    /* sql */ `
create table stripe_difference (
  coach_id bigint not null,
  id bigserial not null,
  payment_intent_id text not null,
  stripe_amount bigint not null,
  booked_amount bigint not null,
  found_at timestamptz(3) not null,
  primary key (coach_id, id)
);
${enableTenantPolicy('stripe_difference')}
`,
  ),
  // Products that clients pay in parts or again and again.
  migration(
    'stripe/0005-subscriptions',
    /* sql */ `
create table stripe_subscription (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  product_id bigint,
  product_name text not null,
  session_count int,
  kind text not null,
  frequency text not null,
  parts int,
  currency text not null,
  amount bigint not null,
  state text not null default 'offered',
  cancels_at_period_end boolean not null default false,
  next_charge_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  account_id text,
  session_id text,
  session_url text,
  session_expires_at timestamptz(3),
  sessions int not null default 0,
  subscription_id text,
  schedule_id text,
  skipped_parts int not null default 0,
  syncs int not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_subscription_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id),
  constraint stripe_subscription_coach_id_product_id_foreign foreign key (coach_id, product_id)
    references product (coach_id, id),
  constraint stripe_subscription_product_name_length check (char_length(product_name) <= 255),
  constraint stripe_subscription_session_count_range check (session_count >= 1 and session_count <= 1000),
  constraint stripe_subscription_kind_allowed check (kind in ('installment', 'recurring')),
  constraint stripe_subscription_frequency_allowed check (frequency in ('weekly', 'monthly')),
  constraint stripe_subscription_parts_range check (parts >= 1 and parts <= 1000),
  constraint stripe_subscription_parts_present check ((kind = 'installment') = (parts is not null)),
  constraint stripe_subscription_currency_format check (currency ~ '^[a-z]{3}$'),
  constraint stripe_subscription_amount_range check (amount > 0 and amount <= 9999999999),
  constraint stripe_subscription_state_allowed check (
    state in ('offered', 'active', 'paused', 'past_due', 'unpaid', 'completed', 'cancelled', 'withdrawn'))
);
create unique index stripe_subscription_key on stripe_subscription (coach_id, subscription_id)
  where subscription_id is not null;
create unique index stripe_subscription_session on stripe_subscription (coach_id, session_id)
  where session_id is not null;
create index stripe_subscription_newest on stripe_subscription (coach_id, created_at desc, id desc);
create index stripe_subscription_client on stripe_subscription (coach_id, client_id, created_at desc)
  where client_id is not null;
${enableTenantPolicy('stripe_subscription')}
${addHistoryTrigger('stripe_subscription', subscriptionDetails)}

create table stripe_charge (
  coach_id bigint not null,
  id bigserial not null,
  subscription_row_id bigint not null,
  charge_id text not null,
  part int not null,
  state text not null,
  amount bigint not null,
  payment_intent_id text,
  invoice_id bigint,
  attempts int not null default 0,
  announced_attempts int not null default 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint stripe_charge_coach_id_subscription_row_id_foreign foreign key (coach_id, subscription_row_id)
    references stripe_subscription (coach_id, id) on delete cascade,
  constraint stripe_charge_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint stripe_charge_state_allowed check (state in ('failed', 'paid', 'void')),
  constraint stripe_charge_part_range check (part >= 1),
  constraint stripe_charge_invoice_present check ((state = 'paid') >= (invoice_id is not null))
);
create unique index stripe_charge_key on stripe_charge (coach_id, charge_id);
create index stripe_charge_subscription on stripe_charge (coach_id, subscription_row_id, part);
create index stripe_charge_invoice on stripe_charge (coach_id, invoice_id) where invoice_id is not null;
${enableTenantPolicy('stripe_charge')}
create trigger stripe_charge_signed after insert or update or delete on stripe_charge
  for each row execute function require_signed_actor('stripe_charge');
`,
  ),
  // Payment pages of sales.
  migration(
    'stripe/0006-sales',
    /* sql */ `
alter table stripe_checkout
  alter column invoice_id drop not null,
  add column sale_id bigint,
  add constraint stripe_checkout_coach_id_sale_id_foreign foreign key (coach_id, sale_id)
    references sale (coach_id, id) on delete cascade,
  add constraint stripe_checkout_payable_present check (num_nonnulls(invoice_id, sale_id) >= 1);
create unique index stripe_checkout_open_sale on stripe_checkout (coach_id, sale_id) where state = 'open';
create index stripe_checkout_sale on stripe_checkout (coach_id, sale_id) where sale_id is not null;
`,
  ),
  // The response of Stripe that is stored.
  migration(
    'stripe/0007-synced',
    /* sql */ `
alter table stripe_subscription add column synced int not null default 0;
drop trigger stripe_subscription_history on stripe_subscription;
${addHistoryTrigger('stripe_subscription', [...subscriptionDetails, 'synced'])}
`,
  ),
  // Subscriptions that visitors begin.
  migration(
    'stripe/0008-visitors',
    /* sql */ `
alter table stripe_subscription
  add column buyer_name text,
  add column buyer_email text,
  add constraint stripe_subscription_buyer check (
    (buyer_name is null) = (buyer_email is null) and (buyer_email is null or client_id is null)),
  add constraint stripe_subscription_buyer_name_length check (char_length(buyer_name) <= 255),
  add constraint stripe_subscription_buyer_email_length check (char_length(buyer_email) <= 254);
drop trigger stripe_subscription_history on stripe_subscription;
${addHistoryTrigger('stripe_subscription', [...subscriptionDetails, 'synced', 'buyer_name', 'buyer_email'])}
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration(
    'stripe/0009-signed-rows',
    /* sql */ `${requireSignedActor('stripe_account', 'stripe_checkout', 'stripe_customer', 'stripe_dispute', 'stripe_refund', 'plan_subscription')}`,
  ),
  // How well the connection works: since when Stripe can't be asked and why, and when Stripe ended the one before.
  migration(
    'stripe/0010-health',
    /* sql */ `
alter table stripe_account
  add column failing_since timestamptz(3),
  add column last_error text,
  add column ended_at timestamptz(3),
  add constraint stripe_account_last_error_allowed check (last_error in ('busy', 'down', 'refused')),
  add constraint stripe_account_failing check ((failing_since is null) = (last_error is null));
`,
  ),
]
