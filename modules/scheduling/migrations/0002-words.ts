import { withWords } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Appointments are found by their description and by what was noted of the session. */
export const words = migration(
  'scheduling/0002-words',
  /* sql */ `${withWords('appointment', ['description', 'session_notes'])}`,
)
