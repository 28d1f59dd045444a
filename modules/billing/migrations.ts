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
  // Every cent in or out, and the invoices.
  migration(
    'billing/0002-ledger',
    /* sql */ `
create table billing_settings (
  coach_id bigint not null,
  id bigserial not null,
  currency text not null default 'usd',
  invoice_prefix text not null default 'INV-',
  next_number int not null default 1,
  payment_days int not null default 14,
  tax_name text not null default 'Tax',
  tax_rate numeric(6,3) not null default 0,
  prices_include_tax boolean not null default false,
  tax_id text,
  legal_name text,
  address text,
  invoice_footer text,
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint billing_settings_currency_format check (currency ~ '^[a-z]{3}$'),
  constraint billing_settings_invoice_prefix_format check (invoice_prefix ~ '^[A-Za-z0-9/_.-]{0,20}$'),
  constraint billing_settings_next_number_range check (next_number >= 1),
  constraint billing_settings_payment_days_range check (payment_days >= 0 and payment_days <= 365),
  constraint billing_settings_tax_name_length check (tax_name <> '' and char_length(tax_name) <= 40),
  constraint billing_settings_tax_rate_range check (tax_rate >= 0 and tax_rate <= 100),
  constraint billing_settings_tax_id_length check (char_length(tax_id) <= 60),
  constraint billing_settings_legal_name_length check (char_length(legal_name) <= 255),
  constraint billing_settings_address_length check (char_length(address) <= 1000),
  constraint billing_settings_invoice_footer_length check (char_length(invoice_footer) <= 2000),
  constraint billing_settings_version_range check (version >= 1)
);
create unique index billing_settings_coach on billing_settings (coach_id);
${enableTenantPolicy('billing_settings')}

create table invoice (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null default 'invoice',
  state text not null default 'draft',
  number text,
  client_id bigint,
  credited_invoice_id bigint,
  bill_to_name text,
  bill_to_email text,
  bill_to_address text,
  currency text not null,
  description text not null,
  notes text,
  issue_date date,
  due_date date,
  prices_include_tax boolean not null,
  discount_percent numeric(6,3),
  discount_amount bigint,
  subtotal bigint not null,
  discount bigint not null,
  tax bigint not null,
  total bigint not null,
  paid bigint not null default 0,
  refunded bigint not null default 0,
  credited bigint not null default 0,
  stripe_payment_intent_id text,
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (
    search_key(coalesce(number, '') || chr(10) || description || chr(10) || coalesce(bill_to_name, ''))) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint invoice_coach_id_client_id_foreign foreign key (coach_id, client_id) references client (coach_id, id),
  constraint invoice_coach_id_credited_invoice_id_foreign foreign key (coach_id, credited_invoice_id)
    references invoice (coach_id, id),
  constraint invoice_kind_allowed check (kind in ('invoice', 'credit_note')),
  constraint invoice_state_allowed check (state in ('draft', 'open', 'failed', 'void')),
  constraint invoice_number_present check ((number is null) = (state = 'draft')),
  constraint invoice_issue_date_present check ((issue_date is null) = (state = 'draft')),
  constraint invoice_credited_invoice_present check ((kind = 'credit_note') = (credited_invoice_id is not null)),
  constraint invoice_trash_for_drafts check (deleted_at is null or state = 'draft'),
  constraint invoice_number_length check (char_length(number) <= 40),
  constraint invoice_bill_to_name_length check (char_length(bill_to_name) <= 255),
  constraint invoice_bill_to_email_length check (char_length(bill_to_email) <= 254),
  constraint invoice_bill_to_address_length check (char_length(bill_to_address) <= 1000),
  constraint invoice_currency_format check (currency ~ '^[a-z]{3}$'),
  constraint invoice_description_length check (description <> '' and char_length(description) <= 255),
  constraint invoice_notes_length check (char_length(notes) <= 2000),
  constraint invoice_discount_range check (
    num_nonnulls(discount_percent, discount_amount) <= 1 and discount_percent >= 0 and discount_percent <= 100
    and discount_amount >= 0),
  constraint invoice_amounts_range check (
    subtotal >= 0 and discount >= 0 and discount <= subtotal and tax >= 0 and total >= 0 and total <= 9999999999),
  constraint invoice_balance check (
    paid >= 0 and refunded >= 0 and credited >= 0 and refunded <= paid and credited <= total
    and paid - refunded <= total),
  constraint invoice_version_range check (version >= 1)
);
create unique index invoice_number_key on invoice (coach_id, number) where number is not null;
create index invoice_newest on invoice (coach_id, created_at desc, id desc) where deleted_at is null;
create index invoice_client on invoice (coach_id, client_id, created_at desc, id desc) where deleted_at is null;
create index invoice_unpaid on invoice (coach_id, due_date)
  where state = 'open' and kind = 'invoice' and paid + credited < total;
${enableTenantPolicy('invoice')}
${addHistoryTrigger('invoice', ['version'])}
${scrubOnErase('invoice', 'client_id', ['bill_to_name', 'bill_to_email', 'bill_to_address', 'notes'])}

create table invoice_line (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  position int not null,
  description text not null,
  quantity numeric(10,2) not null,
  unit_price bigint not null,
  tax_rate numeric(6,3) not null,
  amount bigint not null,
  product_id bigint,
  primary key (coach_id, id),
  constraint invoice_line_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint invoice_line_coach_id_product_id_foreign foreign key (coach_id, product_id)
    references product (coach_id, id),
  constraint invoice_line_description_length check (description <> '' and char_length(description) <= 500),
  constraint invoice_line_quantity_range check (quantity > 0 and quantity <= 99999.99),
  constraint invoice_line_unit_price_range check (unit_price >= 0 and unit_price <= 9999999999),
  constraint invoice_line_tax_rate_range check (tax_rate >= 0 and tax_rate <= 100),
  constraint invoice_line_amount_range check (amount >= 0)
);
create unique index invoice_line_position on invoice_line (coach_id, invoice_id, position);
${enableTenantPolicy('invoice_line')}

alter table purchase
  add column invoice_id bigint,
  add constraint purchase_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id);
create index purchase_invoice on purchase (coach_id, invoice_id) where invoice_id is not null;

create table ledger_entry (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  amount bigint not null,
  currency text not null,
  method text not null,
  occurred_at timestamptz(3) not null,
  client_id bigint,
  purchase_id bigint,
  invoice_id bigint,
  external_id text,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint ledger_entry_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id),
  constraint ledger_entry_coach_id_purchase_id_foreign foreign key (coach_id, purchase_id)
    references purchase (coach_id, id),
  constraint ledger_entry_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id),
  constraint ledger_entry_kind_allowed check (kind in ('payment', 'refund', 'correction', 'dispute')),
  constraint ledger_entry_amount_sign check (
    amount <> 0 and (kind = 'payment') <= (amount > 0) and (kind in ('refund', 'dispute')) <= (amount < 0)),
  constraint ledger_entry_currency_format check (currency ~ '^[a-z]{3}$'),
  constraint ledger_entry_method_allowed
    check (method in ('cash', 'credit_card', 'bank_transfer', 'paypal', 'stripe', 'manual', 'other')),
  constraint ledger_entry_external_id_length check (char_length(external_id) <= 255)
);

alter table purchase no force row level security;
insert into ledger_entry (coach_id, kind, amount, currency, method, occurred_at, client_id, purchase_id, created_at)
  select coach_id, 'payment', amount, 'usd', payment_method, purchased_at, client_id, id, created_at from purchase
  where status = 'completed' and deleted_at is null and amount > 0;
alter table purchase force row level security;

create index ledger_entry_time on ledger_entry (coach_id, occurred_at desc, id desc) include (amount);
create index ledger_entry_client on ledger_entry (coach_id, client_id, occurred_at desc) where client_id is not null;
create index ledger_entry_purchase on ledger_entry (coach_id, purchase_id) where purchase_id is not null;
create index ledger_entry_invoice on ledger_entry (coach_id, invoice_id) where invoice_id is not null;
create unique index ledger_entry_external_id_key on ledger_entry (coach_id, external_id) where external_id is not null;
${enableTenantPolicy('ledger_entry')}

-- Nothing changes an entry. Erasing a client or a purchase removes the reference to it, erasing a coach everything.
create function keep_ledger() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if exists (select 1 from account where id = old.coach_id and removed_at is not null) then
      return old;
    end if;
  elsif new.coach_id <> old.coach_id then
    -- Row level security rejects it.
    return new;
  elsif coalesce(new.client_id, old.client_id) is not distinct from old.client_id
    and coalesce(new.purchase_id, old.purchase_id) is not distinct from old.purchase_id
    and to_jsonb(new) - array['client_id', 'purchase_id'] = to_jsonb(old) - array['client_id', 'purchase_id']
  then
    return new;
  end if;
  raise exception 'an entry of the ledger never changes' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_keep before update or delete on ledger_entry
  for each row execute function keep_ledger('ledger_entry');
create trigger ledger_entry_signed after insert or update or delete on ledger_entry
  for each row execute function require_signed_actor('ledger_entry');
create trigger invoice_line_signed after insert or update or delete on invoice_line
  for each row execute function require_signed_actor('invoice_line');
create trigger billing_settings_signed after insert or update or delete on billing_settings
  for each row execute function require_signed_actor('billing_settings');
`,
  ),
  // Packages: how many sessions a product, and each purchase of it, includes.
  migration(
    'billing/0003-packages',
    /* sql */ `
alter table product
  add column session_count int,
  add constraint product_session_count_range check (session_count >= 1 and session_count <= 1000);
alter table purchase
  add column session_count int,
  add constraint purchase_session_count_range check (session_count >= 1 and session_count <= 1000);
create index purchase_package on purchase (coach_id, client_id)
  where session_count is not null and deleted_at is null;
`,
  ),
  // The session that a line bills.
  migration(
    'billing/0004-invoiced-sessions',
    /* sql */ `
alter table invoice_line add column appointment_id bigint;
create index invoice_line_appointment on invoice_line (coach_id, appointment_id) where appointment_id is not null;
`,
  ),
  // The settings have a history, default notes, and prefixes that no two numbers can share.
  migration(
    'billing/0005-settings-history',
    /* sql */ `
alter table billing_settings
  add column default_notes text,
  add column start_number int not null default 1,
  add constraint billing_settings_start_number_range check (start_number >= 1),
  add constraint billing_settings_default_notes_length check (char_length(default_notes) <= 2000),
  add constraint billing_settings_invoice_prefix_end check (invoice_prefix !~ '[0-9]$');
drop trigger billing_settings_signed on billing_settings;
${addHistoryTrigger('billing_settings', ['next_number', 'version'])}
`,
  ),
  // The sender's details as they were when an invoice was issued, and the files as they were first printed.
  migration(
    'billing/0006-invoice-files',
    /* sql */ `
alter table invoice
  add column issued_by text,
  add column tax_name text,
  add column footer text,
  add constraint invoice_issued_by_length check (char_length(issued_by) <= 1500),
  add constraint invoice_tax_name_length check (char_length(tax_name) <= 40),
  add constraint invoice_footer_length check (char_length(footer) <= 2000);

create table invoice_file (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  ledger_entry_id bigint,
  content bytea not null,
  sha256 bytea not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint invoice_file_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint invoice_file_coach_id_ledger_entry_id_foreign foreign key (coach_id, ledger_entry_id)
    references ledger_entry (coach_id, id) on delete cascade,
  constraint invoice_file_sha256_matches check (sha256 = sha256(content))
);
create unique index invoice_file_key on invoice_file (coach_id, invoice_id, ledger_entry_id) nulls not distinct;
${enableTenantPolicy('invoice_file')}

-- What was issued stays as it is.
create function keep_invoice_file() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.coach_id <> old.coach_id then
    -- Row level security rejects it.
    return new;
  end if;
  raise exception 'the file of an invoice never changes' using errcode = 'restrict_violation';
end $$;
create trigger invoice_file_keep before update on invoice_file
  for each row execute function keep_invoice_file('invoice_file');
create trigger invoice_file_signed after insert or update or delete on invoice_file
  for each row execute function require_signed_actor('invoice_file');

-- The files name the client: they are erased with the client, and printed again without the name.
create function delete_invoice_files() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from invoice_file where coach_id = new.coach_id and invoice_id = new.id;
  return null;
end $$;
create trigger invoice_delete_files after update of client_id on invoice for each row
  when (old.client_id is not null and new.client_id is null) execute function delete_invoice_files('invoice');
`,
  ),
  // Automatic reminders of overdue invoices.
  migration(
    'billing/0007-reminders',
    /* sql */ `
alter table billing_settings
  add column sends_reminders boolean not null default false,
  add column reminder_days int[] not null default '{3,7,14}',
  add constraint billing_settings_reminder_days check (
    cardinality(reminder_days) >= 1 and cardinality(reminder_days) <= 5
    and 1 <= all (reminder_days) and 90 >= all (reminder_days));

create table invoice_reminder (
  coach_id bigint not null,
  id bigserial not null,
  invoice_id bigint not null,
  days int,
  claimed_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (coach_id, id),
  constraint invoice_reminder_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id)
    references invoice (coach_id, id) on delete cascade,
  constraint invoice_reminder_days_range check (days >= 1 and days <= 90)
);
create unique index invoice_reminder_key on invoice_reminder (coach_id, invoice_id, days) where days is not null;
create index invoice_reminder_invoice on invoice_reminder (coach_id, invoice_id);
${enableTenantPolicy('invoice_reminder')}
create trigger invoice_reminder_signed after insert or update or delete on invoice_reminder
  for each row execute function require_signed_actor('invoice_reminder');
`,
  ),
  migration(
    'billing/0008-online-payments',
    /* sql */ `
alter table invoice
  add column refunding bigint not null default 0,
  add constraint invoice_refunding_range check (refunding >= 0 and refunded + refunding <= paid);
`,
  ),
  // The currency is the account's.
  migration('billing/0009-currency', /* sql */ 'alter table billing_settings drop column currency;'),
  // Products that are sold online, and the sales of them.
  migration(
    'billing/0010-sales',
    /* sql */ `
alter table product
  add column online_sale text not null default 'none',
  add column slug text,
  add constraint product_online_sale_allowed check (online_sale in ('none', 'public', 'link')),
  add constraint product_slug_format check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  add constraint product_slug_present check (online_sale = 'none' or slug is not null);
create unique index product_slug_key on product (coach_id, slug) where slug is not null;

create table sale (
  coach_id bigint not null,
  id bigserial not null,
  product_id bigint,
  client_id bigint,
  product_name text not null,
  amount bigint not null,
  currency text not null,
  session_count int,
  buyer_name text,
  buyer_email text,
  source text not null,
  state text not null default 'open',
  invoice_id bigint,
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint sale_coach_id_product_id_foreign foreign key (coach_id, product_id) references product (coach_id, id),
  constraint sale_coach_id_client_id_foreign foreign key (coach_id, client_id) references client (coach_id, id),
  constraint sale_coach_id_invoice_id_foreign foreign key (coach_id, invoice_id) references invoice (coach_id, id),
  constraint sale_product_name_length check (product_name <> '' and char_length(product_name) <= 255),
  constraint sale_amount_range check (amount >= 1 and amount <= 9999999999),
  constraint sale_currency_format check (currency ~ '^[a-z]{3}$'),
  constraint sale_session_count_range check (session_count >= 1 and session_count <= 1000),
  constraint sale_buyer_name_length check (char_length(buyer_name) <= 255),
  constraint sale_buyer_email_length check (char_length(buyer_email) <= 254),
  constraint sale_source_allowed check (source in ('page', 'link', 'booking')),
  constraint sale_state_allowed check (state in ('open', 'paid', 'withdrawn')),
  constraint sale_invoice_present check ((state = 'paid') = (invoice_id is not null)),
  constraint sale_version_range check (version >= 1)
);
create index sale_client on sale (coach_id, client_id) where client_id is not null;
create index sale_product on sale (coach_id, product_id) where product_id is not null;
create index sale_invoice on sale (coach_id, invoice_id) where invoice_id is not null;
create index sale_unpaid on sale (coach_id, created_at) where state <> 'paid';
${enableTenantPolicy('sale')}
create trigger sale_forget_buyer after update of client_id on sale for each row
  when (old.client_id is not null and new.client_id is null)
  execute function clear_columns('sale', 'buyer_name', 'buyer_email');
create trigger sale_signed after insert or update or delete on sale
  for each row execute function require_signed_actor('sale');
`,
  ),
  // A reminder that a worker was sending when it ended may have been sent or not.
  migration(
    'billing/0011-reminder-starts',
    /* sql */ `
alter table invoice_reminder add column started_at timestamptz(3);
alter table invoice_reminder no force row level security;
update invoice_reminder set started_at = coalesce(sent_at, claimed_at) where sent_at is not null or days is not null;
alter table invoice_reminder force row level security;
`,
  ),
  // As before, and entries go with the client's other records when two clients are merged.
  migration(
    'billing/0012-merged-clients',
    /* sql */ `
create or replace function keep_ledger() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if exists (select 1 from account where id = old.coach_id and removed_at is not null) then
      return old;
    end if;
  elsif new.coach_id <> old.coach_id then
    -- Row level security rejects it.
    return new;
  elsif coalesce(new.client_id, old.client_id) is not distinct from old.client_id
    and coalesce(new.purchase_id, old.purchase_id) is not distinct from old.purchase_id
    and to_jsonb(new) - array['client_id', 'purchase_id'] = to_jsonb(old) - array['client_id', 'purchase_id']
  then
    return new;
  elsif is_client_move(new.coach_id, old.client_id, new.client_id)
    and to_jsonb(new) - 'client_id' = to_jsonb(old) - 'client_id'
  then
    return new;
  end if;
  raise exception 'an entry of the ledger never changes' using errcode = 'restrict_violation';
end $$;
`,
  ),
  migration(
    'billing/0013-payment-emails',
    /* sql */ `
create table payment_email (
  coach_id bigint not null,
  id bigserial not null,
  ledger_entry_id bigint not null,
  claimed_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint payment_email_coach_id_ledger_entry_id_foreign foreign key (coach_id, ledger_entry_id)
    references ledger_entry (coach_id, id) on delete cascade
);
create unique index payment_email_key on payment_email (coach_id, ledger_entry_id);
${enableTenantPolicy('payment_email')}
create trigger payment_email_signed after insert or update or delete on payment_email
  for each row execute function require_signed_actor('payment_email');
`,
  ),
  migration(
    'billing/0014-receipt-emails',
    /* sql */ `
create table receipt_email (
  coach_id bigint not null,
  id bigserial not null,
  ledger_entry_id bigint not null,
  claimed_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint receipt_email_coach_id_ledger_entry_id_foreign foreign key (coach_id, ledger_entry_id)
    references ledger_entry (coach_id, id) on delete cascade
);
create unique index receipt_email_key on receipt_email (coach_id, ledger_entry_id);
${enableTenantPolicy('receipt_email')}
create trigger receipt_email_signed after insert or update or delete on receipt_email
  for each row execute function require_signed_actor('receipt_email');
`,
  ),
]
