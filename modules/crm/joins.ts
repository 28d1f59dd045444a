import { firstLineHolds } from '#db/columns.ts'

// What other modules' statements say about clients, so that the table is named here alone.

/** SQL: joins the client that `row` points to by `client_id`, as `c`. What belongs to a client in the trash is hidden: `c.deleted_at is null`. */
export const joinedClient = (row: string): string =>
  `left join client c on c.coach_id = ${row}.coach_id and c.id = ${row}.client_id`

/** SQL: whether the client that `row` points to lies in the trash. */
export const clientInTrash = (row: string): string =>
  `exists (select from client c where c.coach_id = ${row}.coach_id and c.id = ${row}.client_id and c.deleted_at is not null)`

/** SQL: the ids of the clients whose name holds a term. */
export const clientsNamed = (placeholder: string): string =>
  `select id from client where deleted_at is null and ${firstLineHolds(placeholder)}`
