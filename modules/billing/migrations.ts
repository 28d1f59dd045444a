import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, scrubOnErase } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Products and purchases. A purchase stays when its client is erased, without its notes.
  migration(
    'billing/0001-initial',
    /* sql */ `
create table product (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  description text,
  price numeric(10,2) not null,
  payment_type text not null default 'one_time',
  billing_frequency text,
  installment_count int,
  is_active boolean not null default true,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint product_name_length check (name <> '' and char_length(name) <= 255),
  constraint product_description_length check (char_length(description) <= 50000),
  constraint product_price_range check (price >= 0),
  constraint product_payment_type_allowed check (payment_type in ('one_time', 'installment', 'recurring')),
  constraint product_billing_frequency_allowed check (billing_frequency in ('weekly', 'monthly')),
  constraint product_installment_count_range check (installment_count >= 1 and installment_count <= 1000),
  constraint product_billing_frequency_present check ((payment_type = 'one_time') = (billing_frequency is null)),
  constraint product_installment_count_present
    check ((payment_type = 'installment') = (installment_count is not null)),
  constraint product_version_range check (version >= 1)
);
create index product_newest on product (coach_id, created_at desc, id desc) where deleted_at is null;
${enableTenantPolicy('product')}
${addHistoryTrigger('product', ['version'])}

create table purchase (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  product_id bigint,
  product_name text not null,
  amount bigint not null,
  status text not null,
  payment_method text not null,
  stripe_payment_intent_id text,
  notes text,
  purchased_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(product_name || chr(10) || coalesce(notes, ''))) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint purchase_coach_id_client_id_foreign foreign key (coach_id, client_id) references client (coach_id, id),
  constraint purchase_coach_id_product_id_foreign foreign key (coach_id, product_id) references product (coach_id, id),
  constraint purchase_product_name_length check (char_length(product_name) <= 255),
  constraint purchase_amount_range check (amount >= 0 and amount <= 9999999999),
  constraint purchase_status_allowed
    check (status in ('completed', 'pending', 'failed', 'refunded', 'cancelled')),
  constraint purchase_payment_method_allowed
    check (payment_method in ('cash', 'credit_card', 'bank_transfer', 'paypal', 'stripe', 'manual', 'other')),
  constraint purchase_notes_length check (char_length(notes) <= 50000),
  constraint purchase_version_range check (version >= 1)
);
create index purchase_newest on purchase (coach_id, created_at desc, id desc) where deleted_at is null;
create index purchase_client on purchase (coach_id, client_id, created_at desc, id desc) where deleted_at is null;
create index purchase_date on purchase (coach_id, purchased_at desc, id desc) where deleted_at is null;
create index purchase_revenue on purchase (coach_id, purchased_at) where deleted_at is null and status = 'completed';
${enableTenantPolicy('purchase')}
${addHistoryTrigger('purchase', ['version'])}
${scrubOnErase('purchase', 'client_id', ['notes'])}
`,
  ),
]
