import { migration } from '#db/migration.ts'

/** Edits are counted, so that the second of two tabs is told; all purchases are listed by their date. */
export const edits = migration(
  'billing/0002-edits',
  /* sql */ `
alter table "product" add column "version" int not null default 1;
alter table "product" add constraint "product_version_range" check (version >= 1);
alter table "purchase" add column "version" int not null default 1;
alter table "purchase" add constraint "purchase_version_range" check (version >= 1);
create index "purchase_by_date" on "purchase" (coach_id, purchased_at desc, id desc) where deleted_at is null;
`,
)
