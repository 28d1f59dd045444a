import { withWords } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Prospects are found by what is noted of them. */
export const words = migration(
  'pipeline/0004-words',
  /* sql */ `${withWords('prospect', ['notes', 'future_goals', 'frustrations', 'fears', 'failures'])}`,
)
