import { migration } from '#db/migration.ts'

/** What is sold, and what was sold. */
export const sales = migration(
  'billing/0001-sales',
  /* sql */ `
create table "product" ("coach_id" bigint not null, "id" bigserial not null, "name" text not null, "description" text null, "price" numeric(10,2) not null, "payment_type" text not null default 'one_time', "billing_frequency" text null, "installment_count" int null, "is_active" boolean not null default true, "deleted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "product_newest" on "product" (coach_id, created_at desc, id desc) where deleted_at is null;
alter table "product" add constraint "product_name_length" check (name <> '' and char_length(name) <= 255);
alter table "product" add constraint "product_description_length" check (char_length(description) <= 50000);
alter table "product" add constraint "product_price_range" check (price >= 0);
alter table "product" add constraint "product_payment_type_known" check (payment_type in ('one_time', 'installment', 'recurring'));
alter table "product" add constraint "product_billing_frequency_known" check (billing_frequency in ('weekly', 'monthly'));
alter table "product" add constraint "product_installment_count_range" check (installment_count >= 1 and installment_count <= 1000);
alter table "product" add constraint "product_billing_fits" check ((payment_type = 'one_time') = (billing_frequency is null));
alter table "product" add constraint "product_installments_fit" check ((payment_type = 'installment') = (installment_count is not null));
create table "purchase" ("coach_id" bigint not null, "id" bigserial not null, "client_id" bigint null, "product_id" bigint null, "product_name" text not null, "amount" bigint not null, "status" text not null, "payment_method" text not null, "stripe_payment_intent_id" text null, "notes" text null, "purchased_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "purchase_newest" on "purchase" (coach_id, created_at desc, id desc) where deleted_at is null;
create index "purchase_of_client" on "purchase" (coach_id, client_id, created_at desc, id desc) where deleted_at is null;
create index "purchase_revenue" on "purchase" (coach_id, purchased_at) where deleted_at is null and status = 'completed';
alter table "purchase" add constraint "purchase_product_name_length" check (char_length(product_name) <= 255);
alter table "purchase" add constraint "purchase_amount_range" check (amount >= 0 and amount <= 9999999999);
alter table "purchase" add constraint "purchase_status_known" check (status in ('completed', 'pending', 'failed', 'refunded', 'cancelled'));
alter table "purchase" add constraint "purchase_payment_method_known" check (payment_method in ('cash', 'credit_card', 'bank_transfer', 'paypal', 'stripe', 'manual', 'other'));
alter table "purchase" add constraint "purchase_notes_length" check (char_length(notes) <= 50000);
alter table "purchase" add constraint "purchase_coach_id_client_id_foreign" foreign key ("coach_id", "client_id") references "client" ("coach_id", "id") on update no action on delete set null (client_id);
alter table "purchase" add constraint "purchase_coach_id_product_id_foreign" foreign key ("coach_id", "product_id") references "product" ("coach_id", "id") on update no action on delete set null (product_id);
alter table "product" enable row level security;
alter table "product" force row level security;
create policy "product_tenant" on "product" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
alter table "purchase" enable row level security;
alter table "purchase" force row level security;
create policy "purchase_tenant" on "purchase" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
`,
)
