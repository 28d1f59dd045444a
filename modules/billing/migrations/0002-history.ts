import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/**
 * Edits are counted, so that the second of two tabs is told, and told by the history; all purchases are listed by their date
 * and searched without accents.
 */
export const history = migration(
  'billing/0002-history',
  /* sql */ `
alter table "product" add column "version" int not null default 1;
alter table "product" add constraint "product_version_range" check (version >= 1);
alter table "purchase" add column "version" int not null default 1;
alter table "purchase" add constraint "purchase_version_range" check (version >= 1);
alter table "purchase" add column "search_text" text generated always as (search_key(product_name || chr(10) || coalesce(notes, ''))) stored;
create index "purchase_by_date" on "purchase" (coach_id, purchased_at desc, id desc) where deleted_at is null;
${withHistory('product', ['version'])}
${withHistory('purchase', ['version'])}
`,
)
