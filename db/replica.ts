import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openReadPool, type Query, type ReadPool } from './read-pool.ts'

/** How long a report waits for the replica: for a connection, and until it has what the primary has. */
const waitMs = 500
const pollMs = 10
/** A replica with a problem is tried again after so long. */
const retryMs = 5_000
/** The metrics wait no longer for the replica and the primary. */
const stateMs = 700

/**
 * `lagSeconds`: the age of its last transaction, 0 once it has all; null if it doesn't respond. `reads`: how many reports
 * of this process have read each database.
 */
export type ReplicaState = { isUsed: boolean; lagSeconds: number | null; reads: { replica: number; primary: number } }

/**
 * A standby that reports are read from. A read sees everything that was committed before it was asked for: the replica
 * is used only once it has replayed that. While it can't be used, the primary is read instead.
 */
export type Replica = Pick<ReadPool, 'close'> & {
  /** As that of a read pool. `readPrimary` reads the primary, if the replica can't be used. */
  queryAsTenant(
    coachId: number,
    queries: Query[],
    clientId: number | null,
    readPrimary: () => Promise<object[][]>,
  ): Promise<object[][]>
  /** Checks the replica now. */
  getState(): Promise<ReplicaState>
}

/** `onChange` is called with a problem when it begins, and with null when it ends. */
type Options = { now: () => Date; onChange: (problem: unknown) => void }

export function openReplica(url: string, primary: ReadPool, { now, onChange }: Options): Replica {
  const pool = openReadPool(url, { acquireMs: waitMs })
  // Checks don't wait for reports: many of them at once are no problem of the replica.
  const checks = openReadPool(url, { poolSize: 2, acquireMs: waitMs })
  const reads = { replica: 0, primary: 0 }
  let problem: unknown = null
  let problemAt = 0
  let retryAt = 0

  return {
    async queryAsTenant(coachId, queries, clientId, readPrimary) {
      const position = await findReplayedPosition()
      let failure: unknown = null
      if (position) {
        try {
          // Checked again beside the report: behind one address there can be several servers.
          const all = [getReplayed(position), ...queries]
          const [[replayed], ...results] = (await pool.queryAsTenant(coachId, all, clientId)) as [
            Replayed[],
            ...object[][],
          ]
          if (isUsable(replayed!)) {
            reads.replica++
            return results
          }
          failure = new Error('another server answered, which is behind the primary database')
        } catch (error) {
          if (isTimeout(error)) throw error
          if (!isPoolFull(error)) failure = error
        }
      }
      reads.primary++
      const results = await readPrimary()
      // A report that fails there, too, says nothing about the replica.
      if (failure !== null) setProblem(failure)
      return results
    },
    async getState() {
      const checked = await Promise.race([checkNow(), pause(stateMs, null, { ref: false })])
      return { isUsed: checked?.isCurrent ?? false, lagSeconds: checked?.lagSeconds ?? null, reads: { ...reads } }
    },
    close: async () => void (await Promise.all([pool.close(), checks.close()])),
  }

  /** The position of the primary, if the replica has replayed it. Throws if the primary doesn't respond. */
  async function findReplayedPosition(): Promise<Position | null> {
    if (problem === null) {
      const position = await findPosition()
      return (await check(position)).isCurrent ? position : null
    }
    if (now().getTime() >= retryAt) {
      retryAt = now().getTime() + retryMs
      // Beside the report: only those that find the problem first wait for a replica that doesn't respond.
      void checkNow()
    }
    return null
  }

  async function findPosition(): Promise<Position> {
    const [position] = await primary.queryGlobal<Position>(primaryPosition)
    return position!
  }

  /** Null if the primary doesn't respond, which says nothing about the replica. */
  async function checkNow(): Promise<Checked | null> {
    const position = await findPosition().catch(() => null)
    return position && check(position)
  }

  /** Whether the replica has everything up to this position, or gets it soon. */
  async function check(position: Position): Promise<Checked> {
    const beganAt = performance.now()
    let lagSeconds: number | null = null
    const catchUp = async () => {
      for (const until = performance.now() + waitMs; performance.now() < until; await pause(pollMs)) {
        const [replayed] = await checks.queryGlobal<Replayed>(getReplayed(position))
        if (!replayed!.isStandby) throw new Error('it is no standby of the primary database')
        lagSeconds = replayed!.isCurrent ? 0 : replayed!.lagSeconds
        if (replayed!.isCurrent) return true
      }
      return false
    }
    try {
      const isCurrent = await Promise.race([catchUp(), pause(waitMs, false, { ref: false })])
      if (!isCurrent) throw new Error(lagSeconds === null ? 'it does not respond' : 'it is behind the primary database')
      // A check that began before another one failed says nothing new.
      if (beganAt > problemAt) setProblem(null)
      return { isCurrent: true, lagSeconds }
    } catch (error) {
      setProblem(error)
      return { isCurrent: false, lagSeconds }
    }
  }

  function setProblem(found: unknown): void {
    const isChange = (problem === null) !== (found === null)
    problem = found
    if (found !== null) {
      problemAt = performance.now()
      retryAt = now().getTime() + retryMs
    }
    if (isChange) onChange(found)
  }
}

type Checked = { isCurrent: boolean; lagSeconds: number | null }

/** `cluster`: the identity of the data, and the timeline, which a failover changes. */
type Position = { lsn: string; cluster: string }
type Replayed = { isStandby: boolean; isCurrent: boolean; lagSeconds: number | null }

/** Everything that was committed before is in front of it. */
const primaryPosition: Query = {
  name: 'replica.primary',
  text: `select pg_current_wal_flush_lsn()::text as lsn, (select system_identifier::text from pg_control_system())
      || '.' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as cluster`,
}

const getReplayed = ({ lsn, cluster }: Position): Query => ({
  name: 'replica.replayed',
  text: `select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isCurrent",
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "lagSeconds",
      pg_is_in_recovery() and $2 = (select system_identifier::text from pg_control_system())
        || '.' || (select upper(lpad(to_hex(timeline_id), 8, '0')) from pg_control_checkpoint()) as "isStandby"`,
  values: [lsn, cluster],
})

const isUsable = ({ isStandby, isCurrent }: Replayed): boolean => isStandby && isCurrent

/** All connections to the replica are busy, for longer than a report waits. `pg` gives the error no code. */
const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** The report takes too long; the primary would take as long. */
const isTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'
