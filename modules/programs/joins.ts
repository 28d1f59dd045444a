import { joinClient } from '#modules/crm/index.ts'

// $1 is the coach.

/** The program `p` with its client `c`. */
export const programTables = `program p ${joinClient('p')}`
/** A program is hidden while it or its client is in the trash. */
export const isVisible = 'p.deleted_at is null and c.deleted_at is null'

/** SQL: whether the row of `client` has a program from the template that isn't completed. */
export const hasRunningProgram = (placeholder: string): string =>
  `client.id in (
    select client_id from program where coach_id = $1 and template_id = ${placeholder}::bigint and completed_at is null
      and deleted_at is null)`
