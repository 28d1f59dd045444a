/** The permissions of this module, with their descriptions on the roles screen. */
export const permissions = {
  'pipeline:stage:read': 'See the stages of the pipeline',
  'pipeline:stage:write': 'Add, change, reorder, delete and restore stages',
  'pipeline:prospect:read': 'See prospects, their notes and their history',
  'pipeline:prospect:write': 'Add, edit, move, convert, delete and restore prospects',
} as const
