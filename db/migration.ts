import { Migration } from '@mikro-orm/migrations'
import type { NamedMigration } from './orm.ts'

/**
 * A migration written as SQL. `name` is `<owner>/<number>-<what>`, where the owner is a module's id, or `house` for what
 * every module builds on. Online: expand first, contract in a later release; a lock that isn't had in 5 s gives up.
 */
export function migration(name: `${string}/${string}`, sql: string): NamedMigration {
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(`set local lock_timeout = '5s'`)
        this.addSql(sql)
      }
    },
  }
}
