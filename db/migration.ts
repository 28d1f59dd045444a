import { createHash } from 'node:crypto'
import { Migration } from '@mikro-orm/migrations'
import type { NamedMigration } from './orm.ts'
import { nameRoles } from './roles.ts'

/**
 * A migration written as SQL. `name` is `<owner>/<number>-<what>`; the owner is a module's id, or `platform` for what
 * all modules build on. Once released, a migration never changes: its checksum is compared at every start. Migrate
 * online: expand first, contract in a later release. Fails when it has to wait longer than 5 seconds for a lock.
 */
export function migration(name: `${string}/${string}`, sql: string): NamedMigration {
  return {
    name,
    checksum: createHash('sha256').update(sql).digest('hex'),
    class: class extends Migration {
      override up(): void {
        this.addSql(`set local lock_timeout = '5s'`)
        this.addSql(nameRoles(sql, this.config.get('dbName')!))
      }
    },
  }
}
