import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { findProgram, installPackage } from '#scripts/debian-packages.mjs'
import { freePort, launch } from './process.ts'

/**
 * Starts PgBouncer in transaction mode, as docs/operating.md describes it, before an embedded database. Its files are
 * in `folder`. Returns the owner's URL through it.
 */
export async function startPgBouncer(ownerUrl: string, folder: string): Promise<string> {
  const { hostname, username, pathname } = new URL(ownerUrl)
  const database = pathname.slice(1)
  const socketFolder = decodeURIComponent(hostname)
  const port = await freePort()
  const users = path.join(folder, 'users.txt')
  const settings = path.join(folder, 'pgbouncer.ini')
  // They need no passwords: the embedded database trusts its socket.
  writeFileSync(users, [username, `${database}_login`].map((name) => `"${name}" ""\n`).join(''))
  writeFileSync(
    settings,
    `[databases]
${database} = host=${socketFolder} port=5432 dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
server_login_retry = 2
logfile =
pidfile =
${process.getuid?.() === 0 ? `user = ${getOwner(socketFolder)}` : ''}
`,
  )
  const pgBouncer = launch(ensurePgBouncer(), [settings])
  await expect.poll(pgBouncer.output, { timeout: 10_000 }).toContain('process up')
  return `postgresql://${username}@127.0.0.1:${port}/${database}?pgbouncer=true`
}

/** Returns the path of PgBouncer. Installs Debian's package if run as root. Throws Error. */
function ensurePgBouncer(): string {
  const names = ['pgbouncer']
  const program = findProgram(names) ?? (installPackage(names) && findProgram(names))
  if (program) return program
  throw new Error('This test needs PgBouncer: install the package pgbouncer.')
}

/** The user who owns a folder. PgBouncer must run as this user to reach the database's socket. */
function getOwner(folder: string): string {
  return spawnSync('id', ['-un', String(statSync(folder).uid)], { encoding: 'utf8' }).stdout.trim()
}
