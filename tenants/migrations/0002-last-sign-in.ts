import { migration } from '#db/migration.ts'

/** When a coach was last here: the platform's administrator sees who still uses it. */
export const lastSignIn = migration(
  'house/0002-last-sign-in',
  /* sql */ `
alter table "account" add column "last_sign_in_at" timestamptz(3) null;
`,
)
