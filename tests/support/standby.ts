import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatUrl, query } from '#db/embedded/connection.ts'
import { prepareDataDir, type DataDir } from '#db/embedded/data-dir.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { ensureRunning, stopServer } from '#db/embedded/server.ts'
import { processTree } from '#tests/bench/load.ts'
import { getPostmaster } from '#tests/start/support/process.ts'

/** A Postgres of its own, and a standby that streams from it. */
export type StandbyPair = {
  ownerUrl: string
  /** Connects to the standby. */
  replicaUrl: string
  /** Run a statement as the superuser. */
  onPrimary: <Row extends object>(sql: string) => Promise<Row[]>
  onStandby: <Row extends object>(sql: string) => Promise<Row[]>
  killStandby(): void
  startStandby(): Promise<unknown>
  /** The standby keeps its connections and doesn't respond. */
  freezeStandby(): void
  resumeStandby(): void
  stop(): Promise<void>
}

/** `settings`: of the standby, as in postgresql.conf. */
export async function startStandbyPair(settings: string): Promise<StandbyPair> {
  const folder = mkdtempSync(path.join(tmpdir(), 'practice-standby-'))
  chmodSync(folder, 0o755)
  const dir = path.join(folder, 'primary')
  // The packages have no pg_basebackup.
  await (await startEmbedded({ dir })).stop()
  const copy = path.join(folder, 'standby/data')
  cpSync(path.join(dir, 'data'), copy, { recursive: true })
  const primary = await startEmbedded({ dir })
  const sockets = decodeURIComponent(new URL(primary.ownerUrl).hostname)
  writeFileSync(path.join(copy, 'standby.signal'), '')
  const connection = `primary_conninfo = 'host=${sockets} user=postgres'\n`
  appendFileSync(path.join(copy, 'postgresql.conf'), connection + settings)
  const standby = await prepareDataDir(path.dirname(copy))
  await ensureRunning(standby)
  return {
    ownerUrl: primary.ownerUrl,
    replicaUrl: formatUrl(standby.sockets, 'anybody', 'practice'),
    onPrimary: (sql) => query(sockets, sql),
    onStandby: (sql) => query(standby.sockets, sql),
    killStandby: () => void process.kill(getPostmaster(standby.root), 'SIGKILL'),
    startStandby: () => ensureRunning(standby),
    freezeStandby: () => signal(standby, 'SIGSTOP'),
    resumeStandby: () => signal(standby, 'SIGCONT'),
    async stop() {
      // A frozen one doesn't stop.
      signal(standby, 'SIGCONT')
      await stopServer(standby)
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** To the server first: a stopped one starts no more processes. */
function signal({ root }: DataDir, name: 'SIGSTOP' | 'SIGCONT'): void {
  const postmaster = getPostmaster(root)
  if (!postmaster) return
  for (const pid of [postmaster, ...processTree(postmaster)]) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended.
    }
  }
}
