import { migration } from '#db/migration.ts'

/** The platform's figures count clients across practices. */
export const counted = migration(
  'crm/0003-counted',
  /* sql */ `create policy "client_lookup" on "client" for select to "practice_lookup" using (true);`,
)
