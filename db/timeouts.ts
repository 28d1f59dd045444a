import pg from 'pg'

/**
 * Keeps a statement or a forgotten transaction of the app from holding a connection or a lock for long. Settings of the
 * role, because PgBouncer passes on none of a connection. They apply to new connections.
 */
export async function setTimeouts(owner: pg.Client, login: string): Promise<void> {
  const role = pg.escapeIdentifier(login)
  await owner.query(`
    alter role ${role} set statement_timeout = '8s';
    alter role ${role} set lock_timeout = '5s';
    alter role ${role} set idle_in_transaction_session_timeout = '30s';
  `)
}
