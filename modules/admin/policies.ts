import { currentClient } from '#db/policies.ts'

const currentCoach = `nullif(current_setting('app.coach_id', true), '')::bigint`

/** SQL: whether the transaction is that of a practice, and of no client in the portal. */
export const isCoach = `${currentCoach} is not null and ${currentClient} is null`

/** SQL: whether an administrator, whom the process has signed, changes a row of the platform. */
export const isSignedAdministrator = `is_administrator() and get_actor(${currentCoach}) = ${currentCoach}`
