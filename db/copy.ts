import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** One row in Postgres' text format, with its newline. */
type Row = Buffer

/**
 * Runs statements, some of them `copy … to stdout`, in one round trip. Calls `onRow` with each copied row and the
 * position of its statement. Reads only as fast as `out` accepts data.
 */
export function copyOut(
  db: pg.Client,
  statements: string[],
  out: Writable,
  onRow: (row: Row, index: number) => void,
): Promise<void> {
  let index = 0
  return new Promise((resolve, reject) => {
    db.query({
      submit: (connection: pg.Connection) => connection.query(statements.join('; ')),
      handleRowDescription() {},
      handleDataRow() {},
      handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection) {
        // The parser reuses its memory.
        onRow(Buffer.from(chunk), index)
        if (!out.writableNeedDrain || stream.isPaused()) return
        stream.pause()
        out.once('drain', () => stream.resume())
      },
      handleCommandComplete: () => void index++,
      handleReadyForQuery: resolve,
      handleError: reject,
    } as pg.Submittable)
  })
}

export type CopyIn = { write(row: Row): Promise<void>; end(): Promise<void> }

/** Starts `copy … from stdin`. Throws Postgres' error, at the latest in `end`. */
export async function copyIn(db: pg.Client, statement: string): Promise<CopyIn> {
  const { connection } = db
  let failure: unknown
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {})
  await new Promise<void>((resolve, reject) => {
    db.query({
      submit: () => connection.query(statement),
      handleCopyInResponse: () => resolve(),
      handleCommandComplete() {},
      handleReadyForQuery: () => ended.resolve(),
      handleError(error: unknown) {
        failure = error
        reject(error)
        ended.reject(error)
      },
    } as pg.Submittable)
  })
  // @types/pg leaves this part of the protocol out.
  const protocol = connection as pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }
  return {
    async write(row) {
      if (failure) throw failure
      protocol.sendCopyFromChunk(row)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    },
    async end() {
      if (!failure) protocol.endCopyFrom()
      await ended.promise
    },
  }
}
