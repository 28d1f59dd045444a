import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { releaseMemory } from '#app/lib/release-memory.ts'

/**
 * Writes a file to Node's response, whose head has been written: the detour through a web stream copies each chunk.
 * Also ends when the client disconnects.
 */
export async function sendContent(content: Readable, outgoing: ServerResponse): Promise<void> {
  const stop = () => void content.destroy()
  outgoing.once('close', stop)
  try {
    for await (const chunk of content as AsyncIterable<Buffer>)
      if (!outgoing.write(chunk, () => releaseMemory(chunk)) && !outgoing.destroyed) await waitForRoom(outgoing)
    outgoing.end()
  } catch {
    outgoing.destroy()
  } finally {
    outgoing.off('close', stop)
  }
}

const waitForRoom = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
  })
